import { inColumns } from "../../scripts/in-columns.ts";
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
  return inColumns([["fault", "how many", "what held", "seconds"], ...rows]);
}
