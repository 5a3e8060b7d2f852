import type { Style } from "./style.ts";
import { fit, pad, width, wrap } from "./width.ts";

export interface Column {
  title: string;
  /** Numbers stand right. */
  right?: boolean;
  /** May be shortened when the terminal is narrow; from this many columns on it reads well. */
  shrinkTo?: number;
  /** May be left out when the terminal is narrow; larger goes first. */
  dispensable?: number;
}

/** A cell's text, and how it is set off once its width is known. */
export type Cell = string | { text: string; paint: (text: string) => string };

const GAP = "  ";
/** Columns of a shortened cell when nothing else helps. */
const LEAST = 4;

/** Rows under dim titles, made to fit `columns`; undefined: as wide as it comes. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly Cell[][],
  max: number | undefined,
  style: Style,
): string[] {
  const widths = columns.map((column, index) => {
    return Math.max(width(column.title), ...rows.map((row) => width(textOf(row[index]))));
  });
  const shown = max === undefined ? columns.map((_, index) => index) : squeeze(columns, widths, max);
  const line = (cells: readonly (Cell | undefined)[], paint: (text: string) => string): string =>
    shown
      .map((index, place) => {
        const cell = cells[index];
        const size = widths[index] ?? 0;
        const text = fit(textOf(cell), size);
        const painted = (typeof cell === "object" ? cell.paint : paint)(text);
        const blank = " ".repeat(Math.max(0, size - width(text)));
        if (columns[index]?.right) return blank + painted;
        return place === shown.length - 1 ? painted : painted + blank;
      })
      .join(GAP)
      .trimEnd();
  return [
    line(
      columns.map((column) => column.title),
      style.dim,
    ),
    ...rows.map((row) => line(row, (text) => text)),
  ];
}

/** Names and texts side by side, as help and settings show them. */
export function renderPairs(pairs: readonly (readonly [string, string])[], max: number | undefined, indent = "  "): string[] {
  const first = Math.max(0, ...pairs.map(([name]) => width(name)));
  return pairs.flatMap(([name, text]) => {
    const room = (max ?? Infinity) - width(indent) - first - 2;
    // Where the second column would be a thread, it goes below.
    if (room < 24) return [indent + name, ...wrap(text, (max ?? 80) - width(indent) - 4).map((line) => `${indent}    ${line}`)];
    const lines = Number.isFinite(room) ? wrap(text, room) : [text];
    return lines.map((line, index) => `${indent}${pad(index === 0 ? name : "", first)}  ${line}`.trimEnd());
  });
}

/** Changes `widths` so that the kept columns fit. @returns the kept ones */
function squeeze(columns: readonly Column[], widths: number[], max: number): number[] {
  const sizes = widths;
  let shown = columns.map((_, index) => index);
  const over = (): number => shown.reduce((sum, index) => sum + (sizes[index] ?? 0), 0) + GAP.length * (shown.length - 1) - max;
  const spare = (): number => shown.reduce((sum, index) => sum + room(columns[index], sizes[index] ?? 0), 0);
  const dispensable = shown
    .filter((index) => columns[index]?.dispensable)
    .sort((a, b) => (columns[b]?.dispensable ?? 0) - (columns[a]?.dispensable ?? 0));
  for (const index of dispensable) if (over() > spare()) shown = shown.filter((other) => other !== index);
  // First as far as it reads well, then as far as it must.
  for (const least of [undefined, LEAST]) {
    for (const index of shown) {
      const size = sizes[index] ?? 0;
      sizes[index] = size - Math.min(Math.max(0, over()), room(columns[index], size, least));
    }
  }
  return shown;
}

function room(column: Column | undefined, size: number, least: number | undefined = column?.shrinkTo): number {
  return column?.shrinkTo === undefined ? 0 : Math.max(0, size - (least ?? size));
}

function textOf(cell: Cell | undefined): string {
  return typeof cell === "object" ? cell.text : (cell ?? "");
}
