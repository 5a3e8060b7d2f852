import { expect, test } from "vitest";
import { reflowOf, rowsOf, rowsToCursor } from "./reflow.ts";

test("how a terminal breaks lines, by its variables", () => {
  expect(reflowOf({ TERM: "screen-256color", TMUX: "/s,1,0", TERM_PROGRAM: "tmux" })).toBe("all");
  expect(reflowOf({ TERM: "xterm-256color", TERM_PROGRAM: "vscode" })).toBe("not-at-cursor");
  expect(reflowOf({ TERM: "xterm-256color", XTERM_VERSION: "XTerm(390)" })).toBe("none");
  expect(reflowOf({ TERM: "linux" })).toBe("none");
  expect(reflowOf({ TERM: "xterm-kitty" })).toBe("all");
});

test("a line's rows count columns, not letters or colours, and a wide letter is never halved", () => {
  expect(rowsOf("\u001b[2mhello\u001b[22m", 5, "all")).toBe(1);
  expect(rowsOf("hello!", 5, "all")).toBe(2);
  expect(rowsOf("灯蛾灯", 5, "all")).toBe(2);
  expect(rowsOf("灯蛾灯蛾灯", 5, "all")).toBe(3);
  expect(rowsOf("", 5, "all")).toBe(1);
  expect(rowsOf("hello!", 5, "none")).toBe(1);
});

test("the rows above the cursor count its own row's breaks only where those happen", () => {
  const at = { row: 1, column: 25 };
  expect(rowsToCursor(["x".repeat(30), "x".repeat(28)], at, 10, "all")).toBe(5);
  expect(rowsToCursor(["x".repeat(30), "x".repeat(28)], at, 10, "not-at-cursor")).toBe(3);
  expect(rowsToCursor(["x".repeat(30), "x".repeat(28)], at, 10, "none")).toBe(1);
});
