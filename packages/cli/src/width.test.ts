import { expect, test } from "vitest";
import { fit, fold, graphemes, pad, width, wrap } from "./width.ts";

test.each([
  ["moth", 4],
  ["灯蛾", 4],
  ["👩‍🚀", 2],
  ["é", 1],
])("%s is %i columns wide", (text, columns) => {
  expect(width(text)).toBe(columns);
});

test.each([
  ["moth-repo", 9, "moth-repo"],
  ["moth-repo", 6, "moth-…"],
  ["灯蛾在家", 5, "灯蛾…"],
  ["灯蛾在家", 4, "灯…"],
  ["👩‍🚀👩‍🚀", 3, "👩‍🚀…"],
  ["moth", 1, "…"],
  ["moth", 0, ""],
])("%s in %i columns is %j", (text, columns, expected) => {
  expect(fit(text, columns)).toBe(expected);
});

test("a text of a megabyte is fitted without measuring it all", () => {
  expect(fit("灯".repeat(1_000_000), 10)).toBe("灯灯灯灯…");
});

test("wrapped lines keep within the columns, whatever their characters", () => {
  const lines = wrap("三个测试失败了 because of a-very-long-word-without-any-space 👩‍🚀👩‍🚀👩‍🚀", 12);
  expect(lines.map(width).filter((columns) => columns > 12)).toEqual([]);
  expect(lines.join("").replaceAll(" ", "")).toContain("a-very-long-word-without-any-space");
});

test.each<[string, number | undefined, string[]]>([
  ["Start it: moth up", 80, ["Start it: moth up"]],
  ["no terminal, so it is one line", undefined, ["no terminal, so it is one line"]],
  ["  moth's plugin is loaded at the next start", 24, ["  moth's plugin is", "  loaded at the next", "  start"]],
  ["moth: what happened is this", 18, ["moth: what", "      happened is", "      this"]],
  ["  change /a/path/that/is/too/long/for/it", 20, ["  change", "  /a/path/that/is/too/long/for/it"]],
  ["Ask for trust: npx moth hook codex --trust", 32, ["Ask for trust:", "npx moth hook codex --trust"]],
  ["Ask: npx moth hook codex --trust", 20, ["Ask: npx moth hook", "codex --trust"]],
])("%j at %s columns breaks no word", (text, columns, lines) => {
  expect(fold(text, columns)).toEqual(lines);
});

test("padding counts columns, not characters", () => {
  expect(pad("灯", 4)).toBe("灯  ");
});

test("graphemes are what a person counts", () => {
  expect(graphemes("e\u0301👩‍🚀灯")).toEqual(["e\u0301", "👩‍🚀", "灯"]);
});
