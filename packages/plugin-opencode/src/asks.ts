/**
 * What a dialog asks, in our own words, and the reply that answers it. What is not understood is left to the window.
 * Shapes as in OpenCode 1.18.33 and Kilo 7.7.7. Nothing here throws.
 */
import { type Answer, type WaitKind, WHY_NOT } from "@moth-companion/core/protocol";
import { clearOptions, showsWhole } from "@moth-companion/core/text";
import { field, list, text } from "@moth-companion/core/fields";

/** A reply for the harness, or why there is none: a sentence for the person. */
type Given = { reply: object } | { problem: string };

export interface Asks {
  text: string;
  options?: string[];
  /** Missing: it can be answered in its window alone. */
  give?: (answer: Answer) => Given;
  /** Why it is. */
  why?: string;
}

/** moth shows no more of a text; what is not seen whole is not answered. */
const MAX_TEXT = 4000;

/** @param asked of the event `permission.asked` @param input what the tool is called with */
export function readPermission(asked: unknown, input: unknown): Asks {
  const patterns = list(field(asked, "patterns")).filter((pattern) => typeof pattern === "string");
  // Nobody allows what is not seen.
  if (typeof input !== "object" || input === null) return { text: patterns.join("\n"), why: WHY_NOT.unknown };
  return whole("permission", describe(input, field(asked, "metadata"), patterns), {
    give({ choice, text: words = "" }) {
      const message = words.trim();
      // Never `always`, which would stand for more than this.
      if (choice === "allow")
        return message ? { problem: "It takes no words with a permission. Deny it with them." } : { reply: { reply: "once" } };
      if (choice === "deny") return { reply: { reply: "reject", ...(message && { message }) } };
      return { problem: "It takes allow, or deny with or without words." };
    },
  });
}

/** @param asked of the event `question.asked`. Several at once, or one with several answers, are the window's. */
export function readQuestion(asked: unknown): Asks {
  const questions = list(field(asked, "questions"));
  const [only, ...more] = questions;
  if (more.length > 0 || text(only, "question") === undefined)
    return { text: questions.map(wordsOf).join("\n"), why: more.length > 0 ? WHY_NOT.several : WHY_NOT.unknown };
  const labels = list(field(only, "options")).map((option) => text(option, "label") ?? "");
  const options = clearOptions(labels);
  if (field(only, "multiple") === true) return { text: wordsOf(only), why: WHY_NOT.multiple };
  if (!options) return { text: wordsOf(only), why: WHY_NOT.options };
  const takesWords = field(only, "custom") !== false;
  return whole("question", wordsOf(only), {
    ...(options.length > 0 && { options }),
    give({ choice, text: words = "" }) {
      const own = words.trim();
      const label = choice === undefined ? undefined : labels[options.indexOf(choice)];
      if (label !== undefined && !own) return { reply: { answers: [[label]] } };
      if (choice === undefined && own && takesWords) return { reply: { answers: [[own]] } };
      return { problem: takesWords ? "It takes one of its options or words, and not both." : "It takes one of its options." };
    },
  });
}

/** Nobody is to answer what they see half of. */
function whole(kind: WaitKind, words: string, asks: Omit<Asks, "text">): Asks {
  return words !== "" && words.length <= MAX_TEXT && showsWhole(words, kind)
    ? { text: words, ...asks }
    : { text: words, ...(words === "" && { why: WHY_NOT.unknown }) };
}

/** All that a call says: the command as it is, the rest by name; as it will run, which a plugin may have changed; and what else it touches. */
function describe(input: object, metadata: unknown, patterns: readonly string[]): string {
  const lines = Object.entries(input).map(([name, asked]: [string, unknown]) => {
    const value = field(metadata, name) ?? asked;
    const words = typeof value === "string" ? value : JSON.stringify(value);
    return name === "command" ? words : `${name}: ${words}`;
  });
  const others = patterns.filter((pattern) => pattern !== "*" && !lines.some((line) => line.includes(pattern)));
  return [...lines, ...others].join("\n");
}

/** A question, and what is said of its options beyond their names. */
function wordsOf(question: unknown): string {
  const options = list(field(question, "options")).flatMap((option) => {
    const [label, more] = [text(option, "label"), text(option, "description")];
    return more === undefined || more === label ? [] : [`${label}: ${more}`];
  });
  return [text(question, "question"), ...options].filter(Boolean).join("\n");
}
