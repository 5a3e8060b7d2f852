import type { Result } from "./fault.ts";

/** Fault, how many, what held, seconds: a line for each claim, the fault itself in the first of its lines. */
export function table(results: readonly Result[]): string {
  const rows = results.flatMap(({ name, count, claims, seconds, skipped }) => {
    const held =
      skipped === undefined
        ? [...claims].map(([what, against]) => `${against.length === 0 ? "ok  " : "FAIL"} ${what}`)
        : [`skipped: ${skipped}`];
    return held.map((line, index) => (index === 0 ? [name, count, line, seconds.toFixed(1)] : ["", "", line, ""]));
  });
  const all = [["fault", "how many", "what held", "seconds"], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
