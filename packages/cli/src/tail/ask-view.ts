/** What is asked, as rows of a terminal: whole, or a part at a time. */
import type { Wait } from "@moth-companion/core/protocol";
import stringWidth from "string-width";
import { graphemes, width } from "../width.ts";

/** A row of what is asked. */
export interface BodyRow {
  text: string;
  /** Characters of what is asked up to the end of this row: they name a place at every width. */
  end: number;
}

const INDENT = "  ";

/** All of what is asked, and its options with their numbers, in rows no wider than `columns`. */
export function bodyRows({ text, options = [] }: Wait, columns: number): BodyRow[] {
  const lines = [...(text === undefined ? [] : text.trimEnd().split("\n")), ...options.map((one, at) => `${at + 1} ${one}`)];
  const rows: BodyRow[] = [];
  let end = 0;
  for (const line of lines) {
    for (const part of broken(line.replaceAll("\t", "    "), Math.max(2, columns - INDENT.length))) {
      end += part.length;
      rows.push({ text: (INDENT + part).trimEnd(), end });
    }
    rows.at(-1)!.end = ++end;
  }
  return rows;
}

/** Broken by columns, not between words: nothing of it is left out, not even blanks. */
function broken(line: string, columns: number): string[] {
  const rows = [""];
  let used = 0;
  for (const char of graphemes(line)) {
    const size = widest(char);
    if (used > 0 && used + size > columns) {
      rows.push("");
      used = 0;
    }
    rows[rows.length - 1] += char;
    used += size;
  }
  return rows;
}

/** Columns a character takes where a terminal draws it widest: what does not fit would be cut off unseen. */
function widest(char: string): number {
  let sum = 0;
  for (const point of char) sum += stringWidth(point, { ambiguousIsNarrow: false });
  return Math.max(sum, width(char));
}
