import { cutText, oneLine } from "@moth-companion/core/text";
import type { Sentence } from "./triage-prose.ts";

const MAX_QUOTE = 160;
/** Letters from which on a sentence says something: "Done." and "Perfect!" do not. */
const MEANING = 10;

/**
 * The sentence a reaction stands on.
 * @param chosen the sentence the class came from, if one did
 * @param fromEnd without one: take the last that says something, not the first; a turn that failed says least at its beginning
 */
export function quoteOf(said: readonly Sentence[], chosen: Sentence | undefined, fromEnd: boolean, text: string): string {
  const sentence = chosen ?? (fromEnd ? said.findLast(says) : said.find(says)) ?? said[0];
  return sentence ? clean(sentence.raw) : clean(text.slice(0, 10 * MAX_QUOTE));
}

function says(sentence: Sentence): boolean {
  return sentence.kind !== "heading" && !/[:：]\s*$/.test(sentence.raw) && weight(clean(sentence.raw)) >= MEANING;
}

/** Letters; one of a script without spaces counts three. */
function weight(text: string): number {
  return text.length + 2 * (text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0);
}

function clean(raw: string): string {
  const start = raw.slice(0, 20 * MAX_QUOTE);
  // Most sentences have no marks, and one look tells.
  if (!/[[<`*~#]/.test(start)) return cutText(oneLine(start), MAX_QUOTE);
  const plain = start
    .replace(/!?\[([^[\]]{0,200})\]\([^()\s]{0,500}\)/g, "$1")
    .replace(/<\/?[a-zA-Z!][^<>]{0,300}>/g, " ")
    .replace(/`+|\*+|~~|^\s*#{1,6}\s/g, "");
  return cutText(oneLine(plain), MAX_QUOTE);
}
