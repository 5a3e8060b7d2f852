import { inColumns } from "../../scripts/in-columns.ts";
import type { Figure } from "./figure.ts";

const HEAD = ["", "figure", "value", "baseline", "ratio", "least to most", "goal"];

/** Rows of words: whether the goal is met, and what there is to say of the figure. */
function rowsOf(figures: readonly Figure[]): string[][] {
  return figures.map(({ ok, name, value, unit, baseline, ratio, spread: [least, most], runs, goal }) => [
    ok ? "ok" : "MISS",
    name,
    `${value} ${unit}`,
    baseline === null ? "" : `${baseline} ${unit}`,
    ratio === null ? "" : `${ratio}x`,
    runs < 2 ? "" : `${least} to ${most} of ${runs}`,
    goal,
  ]);
}

/** For a terminal. */
export function plainTable(figures: readonly Figure[]): string {
  return inColumns([HEAD, ...rowsOf(figures)]);
}

/** For a page: without the first column, a missed goal is in bold. */
export function markdownTable(figures: readonly Figure[]): string {
  const rows = rowsOf(figures).map(([ok, name, ...cells]) => [
    name ?? "",
    ...cells.slice(0, -1),
    ok === "ok" ? (cells.at(-1) ?? "") : `**missed:** ${cells.at(-1)}`,
  ]);
  const head = HEAD.slice(1);
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
