/** One figure: what was measured in several runs, and against what in the same runs. */
export interface Figure {
  name: string;
  /** The median of the runs. */
  value: number;
  unit: string;
  /** The same measure of the thing compared with, in the same unit; null where there is nothing to compare with. */
  baseline: number | null;
  /** `value / baseline` of each run, the median. */
  ratio: number | null;
  /** The least and the most of what the goal is about, or of the ratio where there is no goal. */
  spread: [number, number];
  runs: number;
  /** What it must be, as a person reads it: "ratio <= 1.25". Empty where it is only told. */
  goal: string;
  ok: boolean;
}

/** What one run measured. */
export interface Run {
  value: number;
  baseline?: number;
}

/** `of` what: the ratio to the baseline, or the value itself. Without a limit the figure is only told. */
export interface Goal {
  of: "ratio" | "value";
  atMost?: number;
  atLeast?: number;
}

/** Makes a figure of its runs, and judges their median by the goal. */
export function figure(name: string, unit: string, runs: readonly Run[], goal?: Goal): Figure {
  const values = runs.map(({ value }) => value);
  const baselines = runs.flatMap(({ baseline }) => baseline ?? []);
  const ratios = runs.flatMap(({ value, baseline }) => (baseline === undefined ? [] : value / baseline));
  const hasBaseline = ratios.length > 0;
  const judged = (goal?.of ?? "ratio") === "ratio" && hasBaseline ? ratios : values;
  const middle = quantile(judged, 0.5);
  const limits = [
    goal?.atMost === undefined ? [] : `<= ${goal.atMost}`,
    goal?.atLeast === undefined ? [] : `>= ${goal.atLeast}`,
  ].flat();
  return {
    name,
    value: round(quantile(values, 0.5)),
    unit,
    baseline: hasBaseline ? round(quantile(baselines, 0.5)) : null,
    ratio: hasBaseline ? round(quantile(ratios, 0.5)) : null,
    spread: [round(Math.min(...judged)), round(Math.max(...judged))],
    runs: runs.length,
    goal: goal ? `${goal.of === "ratio" ? "ratio" : unit} ${limits.join(" and ")}` : "",
    ok: middle <= (goal?.atMost ?? Infinity) && middle >= (goal?.atLeast ?? -Infinity),
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
