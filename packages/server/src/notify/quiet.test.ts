import { expect, test } from "vitest";
import { localMinute, quietFor } from "./quiet.ts";

const night = { from: 22 * 60, to: 8 * 60 };
const noon = { from: 12 * 60, to: 13 * 60 };

test.each([
  [night, 22 * 60, 10 * 60],
  [night, 7 * 60 + 59.5, 0.5],
  [night, 8 * 60, 0],
  [night, 21 * 60 + 59, 0],
  [noon, 12 * 60 + 30, 30],
  [noon, 13 * 60, 0],
  [{ from: 20 * 60, to: 0 }, 23 * 60, 60],
])("of %j, at minute %d, %d minutes are left", (hours, minute, left) => {
  expect(quietFor(hours, minute)).toBe(left * 60_000);
});

test("the day's minute is this machine's", () => {
  expect(localMinute(new Date(2026, 10, 30, 8, 15, 30).getTime())).toBe(8 * 60 + 15.5);
});
