/** What a remark can name of a turn: counts, as moth says them, and short names that stand in the agent's text. */
import type { TurnClass } from "@moth-companion/core/protocol";
import { inWords } from "./numbers.ts";

/** Slots of a line and what fills them; `test` and `thing` are the agent's own words. */
export type Details = Readonly<Partial<Record<DetailSlot, string>>>;
export type DetailSlot = "test" | "failed" | "passed" | "files" | "thing" | "questions" | "reading";

/** The slots that are filled with the agent's words. */
export const QUOTED: readonly DetailSlot[] = ["test", "thing"];

const MAX_NAME = 32;
/** What is read of a reply, from its beginning and its end. */
const READ = 20_000;
const WORDS_A_MINUTE = 220;
const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/** `3 tests failed`, `two of 41 tests failed`, `3/41 failed`; not `none of the 41 failed`, nor `fixed 3 failing tests`. */
const COUNT = String.raw`(?<!\b(?:of|of the|fixed|fixed the|but|all but|except|not all)\s|[\w./,-])(\d{1,6}|${NUMBERS.join("|")})`;
const OF = String.raw`(?:\s*(?:\bof|\bout of|/)\s*(?:the\s+|all\s+)?\d{1,6})?`;
const WHAT = String.raw`\s+(?:(?:unit|integration|e2e|other)\s+)?(?:(?:tests?|specs?|cases?|checks?|suites?)\s+)?`;
const FAILED = new RegExp(
  String.raw`${COUNT}${OF}${WHAT}(?:are\s+|still\s+)?(?:failed|fail|failing|failures?|errors?|broken)\b`,
  "i",
);
const PASSED = new RegExp(String.raw`${COUNT}${OF}${WHAT}(?:now\s+|all\s+)?(?:passed|pass|passing|green)\b`, "i");
const FILES = /\b(\d{1,5})\s+files?\b/i;
const TEST =
  /(?:^|[\s`("'/\\])([\w.-]+\.(?:test|spec)\.\w{1,5}|test_[\w.-]+\.py|[\w-]+_test\.\w{1,5}|[\w.-]+_spec\.rb|[A-Z]\w*Tests?\.(?:java|kt|cs|php|swift))\b/;
const NAMED_TEST = /\b(test_\w{2,40})\b/;

export function detailsOf(kind: TurnClass, text: string): Details {
  const read = text.length > 2 * READ ? `${text.slice(0, READ)}\n${text.slice(-READ)}` : text;
  switch (kind) {
    case "failure":
      return {
        ...named("test", TEST.exec(read)?.[1] ?? NAMED_TEST.exec(read)?.[1]),
        ...counted("failed", FAILED.exec(read)?.[1]),
      };
    case "done":
      return { ...counted("passed", PASSED.exec(read)?.[1], 2), ...counted("files", FILES.exec(read)?.[1], 2) };
    case "question":
      return questionDetails(read);
    case "long":
      return { reading: reading(text) };
    default:
      return {};
  }
}

function questionDetails(text: string): Details {
  const asked = prose(text)
    .split(/(?<=[.!?？。])\s|\n/)
    .filter((sentence) => /[?？]["')\]*_]*$/.test(sentence.trim()));
  const thing = asked.map((sentence) => /`([^`\n]{2,60})`/.exec(sentence)?.[1]).find((name) => name !== undefined);
  return { ...named("thing", thing), ...counted("questions", String(asked.length), 2) };
}

function prose(text: string): string {
  return text.replace(/^\s*```[^]*?(?:^\s*```|$(?![^]))/gm, "");
}

function reading(text: string): string {
  const words = text.match(/[\p{L}\p{N}']+/gu)?.length ?? 0;
  const minutes = Math.max(1, Math.round(words / WORDS_A_MINUTE));
  return minutes === 1 ? "a minute" : `${inWords(minutes)} minutes`;
}

/** A name of at most three words: more in a row would be the agent's sentence. */
function named(slot: DetailSlot, name: string | undefined): Details {
  if (name === undefined || name.length > MAX_NAME || /[{}]/.test(name)) return {};
  return (name.match(/[\p{L}\p{N}']+/gu)?.length ?? 0) > 3 ? {} : { [slot]: name };
}

/** @param given digits, or a number in words @param from smaller counts are not worth saying */
function counted(slot: DetailSlot, given: string | undefined, from = 1): Details {
  const word = NUMBERS.indexOf(given?.toLowerCase() ?? "");
  const count = word === -1 ? Number(given) : word;
  return given !== undefined && count >= from ? { [slot]: inWords(count) } : {};
}
