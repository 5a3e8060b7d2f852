import { createScanner } from "jsonc-parser";
import { placeOf } from "./jsonc.ts";

// jsonc-parser's SyntaxKind, which is a const enum and so not there at run time.
const CLOSING: ReadonlySet<number> = new Set([2, 4]);
const COMMA = 5;
const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const BLANK: ReadonlySet<number> = new Set([14, 15]);
const EOF = 17;

/** How much less than moth a harness reads in its settings, and what becomes of the file then. */
export interface Strictness {
  /** Whether comments are allowed; trailing commas are not. */
  comments: boolean;
  /** What the harness does about it, part of a sentence: "ignores this whole file". */
  effect: string;
}

/**
 * For harnesses that read a file as plain JSON, or as JSON with comments: one comment or trailing comma too many, and they use nothing
 * of it, moth's hooks neither. moth edits such a file without harm, and says so.
 */
export function strictProblem(
  { name, strict }: { name: string; strict?: Strictness },
  file: string,
  text: string,
): string | undefined {
  if (!strict || text.trim() === "") return undefined;
  const extra = firstExtra(text, strict.comments);
  if (extra === undefined) return undefined;
  const { line, column } = placeOf(text, extra.offset);
  const reads = strict.comments ? "JSON without trailing commas" : "plain JSON";
  return `${file}:${line}:${column}: ${name} reads ${reads} and ${strict.effect} because of the ${extra.what} there.`;
}

/** The first comment or trailing comma; both are all that JSONC allows beyond JSON. */
function firstExtra(text: string, comments: boolean): { offset: number; what: string } | undefined {
  const scanner = createScanner(text, false);
  let comma: number | undefined;
  for (let kind: number = scanner.scan(); kind !== EOF; kind = scanner.scan()) {
    const isComment = kind === LINE_COMMENT || kind === BLOCK_COMMENT;
    if (comma !== undefined && CLOSING.has(kind)) return { offset: comma, what: "comma" };
    if (isComment && !comments) return { offset: scanner.getTokenOffset(), what: "comment" };
    if (kind === COMMA) comma = scanner.getTokenOffset();
    else if (!isComment && !BLANK.has(kind)) comma = undefined;
  }
  return undefined;
}
