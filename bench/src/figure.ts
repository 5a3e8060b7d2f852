/** One figure: what was measured, against what, in the same run. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** The same measure of the thing compared with, in the same unit. */
  baseline: number;
  /** `value / baseline`. */
  ratio: number;
  /** What it must be, as a person reads it: "ratio <= 1.25". */
  goal: string;
  ok: boolean;
}

interface Goal {
  of: "ratio" | "value";
  atMost?: number;
  atLeast?: number;
}

/** Makes a figure of a value and its baseline, and judges it by its goal. */
export function figure(name: string, unit: string, value: number, baseline: number, goal: Goal): Figure {
  const ratio = value / baseline;
  const judged = goal.of === "ratio" ? ratio : value;
  const limits = [
    goal.atMost === undefined ? [] : `<= ${goal.atMost}`,
    goal.atLeast === undefined ? [] : `>= ${goal.atLeast}`,
  ].flat();
  return {
    name,
    value: round(value),
    unit,
    baseline: round(baseline),
    ratio: round(ratio),
    goal: `${goal.of === "ratio" ? "ratio" : unit} ${limits.join(" and ")}`,
    ok: judged <= (goal.atMost ?? Infinity) && judged >= (goal.atLeast ?? 0),
  };
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}

/** The value below which the given part (0 to 1) of the samples lies. */
export function quantile(samples: readonly number[], part: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
