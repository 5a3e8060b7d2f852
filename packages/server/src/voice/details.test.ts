import type { TurnClass } from "@moth-companion/core/protocol";
import { expect, test } from "vitest";
import { detailsOf } from "./details.ts";

test.each<[TurnClass, string, object]>([
  ["failure", "I ran the suite: 3 tests failed in `src/auth.test.ts`.", { test: "auth.test.ts", failed: "three" }],
  ["failure", "Two of 41 tests failed in auth.test.ts.", { test: "auth.test.ts", failed: "two" }],
  ["failure", "3/41 failed.", { failed: "three" }],
  ["failure", "None of the 41 tests failed, but the build did.", {}],
  ["failure", "I fixed 3 failing tests; the build is red.", {}],
  ["done", "40 of 41 tests pass.", { passed: "forty" }],
  ["done", "All but 2 tests pass.", {}],
  ["done", "Version 1.24 tests pass.", {}],
  ["failure", "2 failed, 40 passed", { failed: "two" }],
  ["failure", "FAILED tests/test_login.py::test_expiry - AssertionError", { test: "test_login.py" }],
  ["failure", "The case test_expiry still fails.", { test: "test_expiry" }],
  ["failure", "There are 120 errors.", { failed: "120" }],
  ["failure", "UserServiceTest.java fails.", { test: "UserServiceTest.java" }],
  ["failure", "0 tests failed, but the build broke.", {}],
  ["failure", "It does not compile.", {}],
  ["done", "All 41 tests pass. I changed 7 files.", { passed: "forty-one", files: "seven" }],
  ["done", "1 test passed, 1 file.", {}],
  ["done", "Done.", {}],
  ["question", "Shall I delete `legacy.ts`? Or keep it?", { thing: "legacy.ts", questions: "two" }],
  ["question", "```\nwhat?\n```\nShall I go on?", {}],
  ["question", "Is `one two three four five` right?", {}],
  ["question", "Is `{label}` right?", {}],
  ["long", "word ".repeat(660), { reading: "three minutes" }],
  ["apology", "Sorry, 3 tests failed.", {}],
])("%s: %j gives %j", (kind, text, details) => {
  expect(detailsOf(kind, text)).toEqual(details);
});

test("a reply of any length and shape is read in no time", () => {
  const began = performance.now();
  for (const part of ["1 tests ", "`", "a.test", "? ", "_", "test_", "1 ".repeat(9) + "are still "])
    for (const kind of ["failure", "done", "question", "long"] as const) detailsOf(kind, part.repeat(65_536 / part.length));
  expect(performance.now() - began).toBeLessThan(5000);
});
