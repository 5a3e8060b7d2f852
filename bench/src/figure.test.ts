import { expect, test } from "vitest";
import { figure, quantile } from "./figure.ts";

test.each([
  [[3, 1, 2], 0.5, 2],
  [[4, 1, 3, 2], 0.5, 3],
  [[5], 0.99, 5],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.1, 2],
  [[1, 2, 3], 1, 3],
])("of %j the part %d is %d, in whatever order they came", (samples, part, value) => {
  const before = [...samples];
  expect(quantile(samples, part)).toBe(value);
  expect(samples).toEqual(before);
});

test("of nothing there is no quantile, and such a figure never meets its goal", () => {
  expect(quantile([], 0.5)).toBeNaN();
  expect(figure("nothing", "ms", [], { of: "value", atMost: 1 }).ok).toBe(false);
});

const runs = [
  { value: 30, baseline: 10 },
  { value: 10, baseline: 10 },
  { value: 40, baseline: 20 },
];

test("a figure is the median of its runs, and its ratio the median of the runs' own ratios", () => {
  expect(figure("it", "ms", runs, { of: "ratio", atMost: 2 })).toEqual({
    name: "it",
    value: 30,
    unit: "ms",
    baseline: 10,
    ratio: 2,
    spread: [1, 3],
    runs: 3,
    goal: "ratio <= 2",
    ok: true,
  });
});

test("what the goal is about is what its spread is of", () => {
  expect(figure("it", "ms", runs, { of: "value", atMost: 20 })).toMatchObject({ spread: [10, 40], goal: "ms <= 20", ok: false });
  expect(figure("it", "ms", runs).spread).toEqual([1, 3]);
  expect(figure("it", "ms", [{ value: 1 }, { value: 2 }]).spread).toEqual([1, 2]);
});

test("without a baseline there is no ratio, and without a goal nothing is missed", () => {
  expect(figure("it", "1/s", [{ value: 1234.5 }])).toMatchObject({
    value: 1230,
    baseline: null,
    ratio: null,
    goal: "",
    ok: true,
  });
});

test.each([
  [{ of: "ratio", atMost: 1.99 } as const, false],
  [{ of: "ratio", atLeast: 2 } as const, true],
  [{ of: "ratio", atLeast: 2.01 } as const, false],
  [{ of: "ratio", atLeast: 1, atMost: 2 } as const, true],
])("%j is judged by the median, before it is rounded", (goal, ok) => {
  expect(figure("it", "ms", runs, goal).ok).toBe(ok);
});
