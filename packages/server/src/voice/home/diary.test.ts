import { expect, test } from "vitest";
import { appended } from "./diary.ts";

const at = new Date(2026, 10, 30, 9, 5).getTime();

test("an entry stands under its day and time, below the older ones", () => {
  const first = appended("", "a quiet morning.", at, 1000);
  expect(first).toBe("2026-11-30 09:05\na quiet morning.\n");
  expect(appended(first, "rain.", at + 3_600_000, 1000)).toBe(`${first}\n2026-11-30 10:05\nrain.\n`);
});

test("the oldest entries go when it grows too long", () => {
  let diary = "";
  for (let day = 0; day < 40; day += 1) diary = appended(diary, `entry ${day}`, at + day * 86_400_000, 300);
  expect(Buffer.byteLength(diary)).toBeLessThanOrEqual(300);
  expect(diary).toMatch(/^\d{4}-\d\d-\d\d 09:05\nentry \d+\n/);
  expect(diary.endsWith("entry 39\n")).toBe(true);
});

test("what the person wrote into it stays, as long as there is room", () => {
  expect(appended("my own words\n", "hello.", at, 1000)).toBe("my own words\n\n2026-11-30 09:05\nhello.\n");
  expect(appended("x".repeat(500), "hello.", at, 300)).toBe("2026-11-30 09:05\nhello.\n");
});
