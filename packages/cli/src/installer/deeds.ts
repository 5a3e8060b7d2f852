import { dirname, relative, sep } from "node:path";
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

/** Each file's; files of moth's own beside or below one another that become the same are one line: a plugin can be a dozen. */
export function renderDeeds(changes: readonly FileChange[], view: View): string[] {
  const groups: FileChange[][] = [];
  for (const change of changes) {
    const group = groups.find(([first]) => first !== undefined && isAlike(first, change));
    if (group) group.push(change);
    else groups.push([change]);
  }
  return groups.flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const files = more.length === 0 ? first.file : `${dirname(first.file)}: ${more.length + 1} files`;
    return renderDeed({ ...first, file: files }, view);
  });
}

function isAlike(first: FileChange, other: FileChange): boolean {
  const isPlain = [first, other].every(({ own, real }) => own === true && real === undefined);
  const isWithin = other.file.startsWith(`${dirname(first.file)}${sep}`);
  return isPlain && isWithin && deedOf(first) === deedOf(other) && first.summary === other.summary;
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
