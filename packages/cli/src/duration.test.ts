import { expect, test } from "vitest";
import { shortDuration } from "./duration.ts";

test.each([
  [-5, "0s"],
  [999, "0s"],
  [59_999, "59s"],
  [60_000, "1m"],
  [3_599_999, "59m"],
  [3_600_000, "1h"],
  [86_400_000, "1d"],
  [40 * 86_400_000, "40d"],
])("%i ms is %s", (ms, text) => {
  expect(shortDuration(ms)).toBe(text);
});
