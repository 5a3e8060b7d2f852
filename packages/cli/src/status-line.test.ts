import { expect, test } from "vitest";
import { lineOf } from "./status-line.ts";

const waits = { state: "waiting", unread: "waits" };
const works = { state: "working" };

test("that the person is away stands first, also when all is quiet", () => {
  expect(lineOf([], true)).toBe("away");
  expect(lineOf([works], true)).toBe("away · 1 works");
});

test.each<[object[], string]>([
  [[], ""],
  [[{ state: "idle" }, { state: "gone" }], ""],
  [[works], "1 works"],
  [[works, waits, waits], "2 wait · 1 works"],
  [[waits, works, works], "1 waits · 2 work"],
  [
    [
      { state: "idle", unread: "finished" },
      { state: "gone", unread: "finished" },
      { state: "idle", unread: "failed" },
    ],
    "1 failed · 2 done",
  ],
  [[{ state: "idle", unread: "limit" }, {}], "1 failed"],
])("%j is %j", (rows, line) => {
  expect(lineOf(rows)).toBe(line);
});
