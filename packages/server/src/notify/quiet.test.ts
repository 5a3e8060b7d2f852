import { expect, test } from "vitest";
import { localMinute, parseQuiet, quietFor } from "./quiet.ts";

test.each<[string, object | undefined]>([
  ["22:00-08:00", { from: 1320, to: 480 }],
  ["22-8", { from: 1320, to: 480 }],
  [" 9:30 – 12 ", { from: 570, to: 720 }],
  ["20 to 24", { from: 1200, to: 0 }],
  ["0-0", undefined],
  ["22:00", undefined],
  ["25-8", undefined],
  ["22:60-8", undefined],
  ["", undefined],
])("%j is %j", (text, hours) => {
  expect(parseQuiet(text)).toEqual(hours);
});

test.each([
  ["22-8", 22 * 60, 10 * 60],
  ["22-8", 7 * 60 + 59.5, 0.5],
  ["22-8", 8 * 60, 0],
  ["22-8", 21 * 60 + 59, 0],
  ["12-13", 12 * 60 + 30, 30],
  ["12-13", 13 * 60, 0],
])("of %s, at minute %d, %d minutes are left", (text, minute, left) => {
  expect(quietFor(parseQuiet(text)!, minute)).toBe(left * 60_000);
});

test("the day's minute is this machine's", () => {
  expect(localMinute(new Date(2026, 10, 30, 8, 15, 30).getTime())).toBe(8 * 60 + 15.5);
});
