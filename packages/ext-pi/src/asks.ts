/** What a dialog asks, in our own words, and the value that answers it. Foreign input: what is not understood is the person's alone. */
import { type Answer, type WaitKind, WHY_NOT } from "@moth-companion/core/protocol";
import { clearOptions } from "@moth-companion/core/text";
import type { Dialog } from "./dialogs.ts";
import { field, list, text } from "@moth-companion/core/fields";

/** A value to end the dialog with, or why there is none: a sentence for the person. */
type Given = { value: unknown } | { problem: string };

export interface Asks {
  text: string;
  options?: string[];
  /** Missing: it can be answered in its window alone. */
  give?: (answer: Answer) => Given;
  /** Why it is. */
  why?: string;
}

/** Tells what a dialog asks; undefined: it is another one. */
export type Read = (dialog: Dialog) => Asks | undefined;

/** Options that settle more than what is asked now. */
const LASTING = /\b(?:always|never|session|forever|remember|future|from now on|don['’]?t ask)\b/i;

/**
 * omp's own question whether a tool may run. Its dialog tells only part of what the tool is called with: no change of an edit, no
 * environment of a command, and the beginning of what is long. The rest stands above it on the screen.
 * @param input what the tool is called with; unknown: it is answered in the window
 */
export function readApproval(tool: string | undefined, input?: unknown): Read {
  return ({ kind, args: [title, options] }) => {
    const first = `Allow tool: ${tool}`;
    if (kind !== "select" || typeof title !== "string" || (title !== first && !title.startsWith(`${first}\n`))) return undefined;
    const told = title.slice(first.length + 1);
    const asked = [told, ...untold(input, told)].filter((one) => one !== "").join("\n") || title;
    const [yes, no, ...more] = labelsOf(options);
    const isKnown = typeof input === "object" && input !== null && yes === "Approve" && no === "Deny" && more.length === 0;
    return { text: asked, ...(isKnown ? { give: plainly({ allow: yes, deny: no }) } : { why: WHY_NOT.unknown }) };
  };
}

/** omp's dialog with the model's questions. Several at once, or one with several answers, are the window's. */
export function readQuestions(first: unknown): Read {
  return ({ kind, args: [asked] }) => {
    const questions = list(asked);
    const [only, ...more] = questions;
    const question = text(only, "question");
    if (kind !== "askDialog" || question === undefined || question !== text(first, "question")) return undefined;
    if (more.length > 0) return { text: questions.map((one) => text(one, "question") ?? "").join("\n"), why: WHY_NOT.several };
    const id = text(only, "id");
    const labels = labelsOf(field(only, "options"));
    const options = clearOptions(labels);
    if (field(only, "multi") === true) return { text: question, why: WHY_NOT.multiple };
    if (id === undefined || !options) return { text: question, why: WHY_NOT.options };
    const submit = (answer: object): Given => {
      const result = { id, question, options: labels, multi: false, selectedOptions: [], ...answer };
      return { value: { kind: "submit", results: [result] } };
    };
    return {
      text: question,
      ...(options.length > 0 && { options }),
      give({ choice, text: words }) {
        const chosen = choice === undefined ? undefined : labels[options.indexOf(choice)];
        if (chosen !== undefined) return submit({ selectedOptions: [chosen], ...(words && { note: words }) });
        return choice === undefined && words
          ? submit({ customInput: words })
          : { problem: "It takes one of its options, or words." };
      },
    };
  };
}

/** A dialog that an extension opens in Pi. */
export function readDialog(kind: string | undefined, title: string | undefined, wait: WaitKind): Read {
  return (dialog) => {
    const [asked, second] = dialog.args;
    if (dialog.kind !== kind || typeof asked !== "string" || asked !== (title ?? "")) return undefined;
    switch (dialog.kind) {
      case "confirm":
        return { text: [asked, second].filter(Boolean).join("\n"), give: plainly({ allow: true, deny: false }) };
      case "select":
        return readSelect(asked, labelsOf(second), wait);
      case "input":
        // For a permission there is no saying which words would give it.
        return {
          text: asked,
          ...(wait === "question" ? { give: line } : { why: "There is no saying which words would allow it." }),
        };
      default:
        return undefined;
    }
  };
}

function readSelect(asked: string, labels: readonly string[], wait: WaitKind): Asks {
  const all = clearOptions(labels);
  if (!all) return { text: asked, why: WHY_NOT.options };
  // What lasts is chosen in the window.
  const options = wait === "permission" ? all.filter((label) => !LASTING.test(label)) : all;
  if (options.length === 0) return { text: asked, why: WHY_NOT.options };
  return {
    text: asked,
    options,
    give({ choice, text: words }) {
      const label = choice !== undefined && options.includes(choice) ? labels[all.indexOf(choice)] : undefined;
      return label === undefined || words ? { problem: "It takes one of its options, without words." } : { value: label };
    },
  };
}

function plainly(values: Readonly<Record<"allow" | "deny", unknown>>): (answer: Answer) => Given {
  return ({ choice, text: words }) => {
    if (words || (choice !== "allow" && choice !== "deny")) return { problem: "It takes allow or deny, without words." };
    return { value: values[choice] };
  };
}

function line({ choice, text: words = "" }: Answer): Given {
  return choice !== undefined || words.trim() === "" || words.includes("\n")
    ? { problem: "It takes one line of words." }
    : { value: words };
}

/** What a tool is called with and its dialog does not tell whole. */
function untold(input: unknown, told: string): string[] {
  if (typeof input !== "object" || input === null) return [];
  return Object.entries(input).flatMap(([name, value]: [string, unknown]) => {
    const whole = typeof value === "string" ? value : JSON.stringify(value);
    const isTold = [`: ${whole}\n`, `:\n${whole}\n`].some((one) => `${told}\n`.includes(one));
    return isTold ? [] : `${name}: ${whole}`;
  });
}

/** The labels of a selector's options. In omp an option may have more to it. */
function labelsOf(options: unknown): string[] {
  return list(options).map((option) => (typeof option === "string" ? option : (text(option, "label") ?? "")));
}
