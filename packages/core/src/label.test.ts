import { expect, test } from "vitest";
import { sessionLabel } from "./label.ts";

test.each([
  ["a POSIX folder", "/home/ada/moth-repo", "moth-repo"],
  ["trailing slashes", "/home/ada/moth-repo///", "moth-repo"],
  ["a folder with a space", "/home/ada/my work", "my work"],
  ["a backslash in a POSIX name", "/home/ada/a\\b", "a\\b"],
  ["a Windows folder", "C:\\Users\\Ada\\moth-repo", "moth-repo"],
  ["a Windows folder with forward slashes", "C:/Users/Ada/moth-repo/", "moth-repo"],
  ["a network share", "\\\\server\\share\\work", "work"],
  ["a relative path", "work/moth", "moth"],
  ["letters of other scripts", "/home/ada/蛾の巣", "蛾の巣"],
  ["an escape sequence in the name", "/tmp/\u001b[31mred\u001b[0m", "red"],
  ["a line break in the name", "/tmp/two\nlines", "two lines"],
  ["a mark that turns the direction", "/tmp/\u202egpj.exe", "gpj.exe"],
])("the label of %s is the folder's name", (_, cwd, label) => {
  expect(sessionLabel(cwd, "0123456789abcdef")).toBe(label);
});

test.each([
  ["the root", "/"],
  ["a drive root", "C:\\"],
  ["a bare drive", "C:"],
  ["an empty path", ""],
  ["no path", undefined],
  ["a name of nothing but control characters", "/tmp/\u0000\u0007"],
])("%s has no name: the session's first 8 characters stand in", (_, cwd) => {
  expect(sessionLabel(cwd, "0123456789abcdef")).toBe("01234567");
});

test("a long name is cut to 40 characters, on a character's edge", () => {
  const label = sessionLabel(`/tmp/${"a".repeat(38)}👩‍👩‍👧‍👦bc`, "id");
  expect(label).toBe(`${"a".repeat(38)}…`);
});

test("without a folder and a session there is nothing to show", () => {
  expect(sessionLabel(undefined, undefined)).toBe("");
});
