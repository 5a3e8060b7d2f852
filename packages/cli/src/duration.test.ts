import { expect, test } from "vitest";
import { parseDuration, shortDuration } from "./duration.ts";

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

test.each<[string, number | undefined]>([
  ["30m", 1800],
  ["2h", 7200],
  ["1h30m", 5400],
  ["1d 2h", 93_600],
  ["90s", 90],
  ["90", 90],
  ["0m", undefined],
  ["", undefined],
  ["soon", undefined],
  ["-5m", undefined],
  ["5m30h", undefined],
  ["99999d", undefined],
])("%j is %j seconds", (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});
