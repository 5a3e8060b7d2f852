import type { Sentence } from "./triage-prose.ts";
import type { Words } from "./triage-words.ts";

const MARK = /[?？][!?！？]*["'”’»」』)\]）\s]*$/;
// What a question that was only rhetorical is followed by.
const ANSWER = /^\s*(?:yes|no|because|since|ja|nein|weil|sí|no|porque|oui|non|parce|因为|はい|いいえ)(?![\p{L}])/iu;
/** Sentences from the end within which an indirect question ("tell me which") is still meant as one. */
const CLOSING = 3;

/** Whether a sentence has the form of a question. */
export function isQuestion(sentence: Sentence): boolean {
  return MARK.test(sentence.plain);
}

/** The question put to the person: the last one. Not a rhetorical one, a heading, or a parting "anything else?". */
export function findQuestion(said: readonly Sentence[], words: readonly Words[]): Sentence | undefined {
  return said.findLast((sentence, index) => {
    if (sentence.kind === "heading" || sentence.kind === "row") return false;
    const isAsked = isQuestion(sentence);
    if (!isAsked && !isClosing(said, index)) return false;
    if (words.some(({ courtesy }) => courtesy.test(sentence.plain))) return false;
    if (!isAsked) return words.some(({ asks }) => asks?.test(sentence.plain));
    const next = said[index + 1];
    if (next?.block === sentence.block && ANSWER.test(next.plain)) return false;
    return isLast(said, index) || words.some(({ addressed }) => addressed.test(sentence.plain));
  });
}

/** Whether nothing but more questions, or a list to choose from, comes after it. */
function isLast(said: readonly Sentence[], index: number): boolean {
  return said.slice(index + 1).every((sentence) => sentence.kind === "item" || isQuestion(sentence));
}

function isClosing(said: readonly Sentence[], index: number): boolean {
  return said.slice(index + 1).filter((sentence) => sentence.kind !== "item").length < CLOSING;
}
