import { relative, sep } from "node:path";
import { type Env, mothHome } from "@moth-companion/core/paths";
import type { FileChange } from "@moth-companion/harnesses";
import type { Style } from "../style.ts";
import { fit, width, wrap } from "../width.ts";
import { diffLines } from "./diff.ts";

export interface View {
  style: Style;
  /** Of the terminal; undefined: as wide as it comes. */
  columns: number | undefined;
  env: Env;
}

const INDENT = "          ";
const NOT_SHOWN = "(its changed lines are not shown: it is no text, or has more than 1500 lines)";

/** What becomes of one file. @param diff with the lines that change */
export function renderDeed(change: FileChange, { style, columns }: View, diff = false): string[] {
  const { file, real, before, after, own, summary } = change;
  const head = `  ${deedOf(change).padEnd(6)}  ${file}`;
  const isShort = columns === undefined || width(`${head} (${summary})`) <= columns;
  const line = (text: string): string => (columns === undefined ? text : fit(text, columns));
  return [
    ...(isShort ? [`${head} ${style.dim(`(${summary})`)}`] : [head, `${INDENT}${style.dim(summary)}`]),
    ...(real === undefined ? [] : [`${INDENT}${style.dim(`through a link: ${real}`)}`]),
    // moth's own programs are not worth reading; the person's settings are.
    ...(diff && !own ? (diffLines(before, after) ?? [NOT_SHOWN]).map((text) => line(`${INDENT}${text}`)) : []),
  ];
}

export function deedOf({ before, after }: FileChange): "create" | "change" | "remove" {
  if (after === undefined) return "remove";
  return before === undefined ? "create" : "change";
}

/** Whether a file is one of moth's own folder, which several harnesses have in common. */
export function isMoths(file: string, env: Env): boolean {
  const way = relative(mothHome(env), file);
  return way !== ".." && !way.startsWith(`..${sep}`);
}

/** A sentence as lines that fit. */
export function folded(text: string, columns: number | undefined, indent: number): string[] {
  const lines = columns === undefined ? [text] : wrap(text, columns - indent);
  return lines.map((line) => " ".repeat(indent) + line);
}
