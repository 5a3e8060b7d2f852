import { expect, it } from "vitest";
import { keepLines } from "./same-lines.ts";

const never = (): boolean => false;

it.each([
  ["all CRLF", "a = 1\r\nb = 2\r\n", "a = 1\nb = 2\n\n[c]\nd = 1\n", "a = 1\r\nb = 2\r\n\r\n[c]\r\nd = 1\r\n"],
  ["mixed", "a = 1\r\nb = 2\n# c\r\n", "a = 1\nnew\nb = 2\n# c\n", "a = 1\r\nnew\r\nb = 2\n# c\r\n"],
  ["LF", "a = 1\n", "a = 1\n[c]\n", "a = 1\n[c]\n"],
  ["none at the end", "a = 1\r\nb = 2", "a = 1\nb = 2\nc\n", "a = 1\r\nb = 2\r\nc\r\n"],
  ["none anywhere", "", "a\n", "a\n"],
])("line ends stay as they were: %s", (_what, before, after, text) => {
  expect(keepLines(before, after, never)).toEqual({ text });
});

it("a line that is gone is found, also a comment, but for blank ones and those that may go", () => {
  expect(keepLines("a\n# c\nb\n", "a\nb\n", never).lost).toBe("# c");
  expect(keepLines("a\nb\n", "b\na\n", never).lost).toBe("b");
  expect(keepLines("a\n\nb\n", "a\nb\n", never)).not.toHaveProperty("lost");
  expect(keepLines("a\nold\nb\n", "a\nnew\nb\n", (line) => line === "old")).not.toHaveProperty("lost");
});
