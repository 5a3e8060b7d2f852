import type { Sentence } from "./triage-prose.ts";
import { isQuestion } from "./triage-question.ts";
import { WORDS, type Words } from "./triage-words.ts";

// "41 of 44 tests pass"
const SHARE =
  /(\d{1,9}) ?(?:of|out of|\/|von|de|sur|中) ?(?:the |los |las |les )?(\d{1,9})(?: [\p{L}-]+){0,2} (?:pass|green|ok|bestanden|pasan|pasaron|passent|通过)/iu;

const AT_WORD = String.raw`\b`;

// One pass over a sentence in lower case instead of one for each pattern whatever the case: several times as fast, and most
// sentences fit none. May only find too much: what it finds is looked at again.
const ANY: ReadonlyMap<Words, RegExp> = new Map(
  WORDS.map((words) => {
    const sources = words.failure.map(({ source }) => source.replace(/\\p\{\w+\}|\\.|[A-Z]/g, lowered));
    return [words, new RegExp(anyOf(sources), words.failure.some(({ unicode }) => unicode) ? "u" : "")];
  }),
);

/**
 * All patterns in one. Those whose every branch begins with a word are tried where a word begins and nowhere else: at each other
 * character one look is enough for all of them.
 */
function anyOf(sources: readonly string[]): string {
  const atWords = sources.filter((source) => source.startsWith(AT_WORD));
  const elsewhere = sources.filter((source) => !source.startsWith(AT_WORD)).map((source) => `(?:${source})`);
  if (atWords.length === 0) return elsewhere.join("|");
  const branches = atWords.map((source) => source.slice(AT_WORD.length));
  return [`${AT_WORD}(?=\\w)(?:${branches.join("|")})`, ...elsewhere].join("|");
}

/** Letters of a pattern in lower case; what stands behind a backslash is no letter. */
function lowered(part: string): string {
  return part.startsWith("\\") ? part : part.toLowerCase();
}

/**
 * Whether something fails now, by this sentence.
 * @param said all sentences: what failed at first may be told as mended later
 * @param asked whether the agent asks something: what it lacks is then a reason to ask, no failure
 * @param languages those the text may be in
 */
export function isFailure(said: readonly Sentence[], index: number, asked: boolean, languages: readonly Words[]): boolean {
  const sentence = said[index];
  if (!sentence || isQuestion(sentence)) return false;
  const share = /\d/.test(sentence.plain) ? SHARE.exec(sentence.plain) : null;
  if (share && Number(share[1]) < Number(share[2])) return true;
  const { plain } = sentence;
  // Most sentences end here, and taking things out is the costly part.
  const lower = plain.toLowerCase();
  if (!languages.some((words) => ANY.get(words)?.test(lower))) return false;
  const told = calm(plain, languages);
  const rest = said.slice(index);
  return languages.some((words) => {
    const at = find(words.failure, told);
    if (at < 0 || (asked && words.lack.test(sentence.plain))) return false;
    return !(words.past.test(told) && (isMended(words, told.slice(at), rest.slice(1)) || isRemedied(words, rest)));
  });
}

function calm(plain: string, languages: readonly Words[]): string {
  let told = plain;
  for (const words of languages) for (const pattern of words.calm) told = told.replace(pattern, " , ");
  return told;
}

function find(patterns: readonly RegExp[], text: string): number {
  for (const pattern of patterns) {
    const at = text.search(pattern);
    if (at >= 0) return at;
  }
  return -1;
}

function isMended(words: Words, rest: string, later: readonly Sentence[]): boolean {
  return words.mended.test(rest) || later.some((sentence) => words.mended.test(sentence.plain));
}

function isRemedied({ remedy }: Words, [sentence, ...later]: readonly Sentence[]): boolean {
  return remedy !== undefined && remedy.cause.test(sentence?.plain ?? "") && later.some(({ plain }) => remedy.act.test(plain));
}
