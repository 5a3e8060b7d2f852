/** What a typed line means as an answer. */
import { type Answer, CHOICES, type Wait } from "@moth-companion/core/protocol";

/** `says`: what Enter will do, told whole. */
export type Reply = { answer: Answer; says: string; isYes: boolean } | { problem: string };

/** Characters of a command that is named whole where an answer stands. */
const NAMEABLE = 60;

/** What can be typed, before anything is. */
export function hintFor({ kind, options }: Wait): string {
  if (options) return `1-${options.length} chooses${kind === "question" ? ", or your own words" : ""}`;
  const choices = CHOICES[kind];
  if (choices.length === 0) return "your own words";
  return `${choices.map((choice) => `${choice[0]} ${choice}`).join(", ")} (with words, if you like)`;
}

/** @param typed not empty */
export function readReply(wait: Wait, typed: string): Reply {
  const { kind, options } = wait;
  if (options) {
    const chosen = options.find((one) => one === typed) ?? (/^\d{1,3}$/.test(typed) ? options[Number(typed) - 1] : undefined);
    if (chosen !== undefined) return { answer: { choice: chosen }, says: `answer "${chosen}"`, isYes: true };
    if (/^\d{1,3}$/.test(typed)) return { problem: `there are ${options.length}, from 1 to ${options.length}` };
  }
  if (kind === "question") return { answer: { text: typed }, says: "answer with these words", isYes: true };
  const [, word = "", words = ""] = /^(\S+)\s*(.*)$/s.exec(typed) ?? [];
  const [yes = "", no = ""] = options ? [] : CHOICES[kind];
  const lower = word.toLowerCase();
  if (yes !== "" && (lower === yes || lower === yes[0])) {
    if (words !== "") return { problem: `to ${yes} takes no words; ${no[0]} and words says what to do instead` };
    return { answer: { choice: yes }, says: `${yes} ${whatOf(wait)}`, isYes: true };
  }
  if (no !== "" && (lower === no || lower === no[0])) {
    if (words === "") return { answer: { choice: no }, says: `${no} it`, isYes: false };
    return { answer: { choice: no, text: words }, says: `${no} it, with these words: ${words}`, isYes: false };
  }
  return { problem: `type ${hintFor(wait)}` };
}

/** Its words stand here only where they do so whole. */
function whatOf({ text = "" }: Wait): string {
  return text !== "" && text.length <= NAMEABLE && !text.includes("\n") ? text : "what stands above";
}
