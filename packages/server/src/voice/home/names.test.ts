import { expect, test } from "vitest";
import { fileName } from "./names.ts";

test.each([
  ["diary.md", "diary.md"],
  ["Diary.MD", "diary.md"],
  [" likes ", "likes.md"],
  ["to-do_2.txt", "to-do_2.txt"],
])("%j is %s", (given, name) => {
  expect(fileName(given)).toBe(name);
});

test.each([
  "",
  ".",
  "..",
  "../token",
  "..\\token",
  "notes/../../token",
  "/etc/passwd",
  "notes/a.md",
  "~/a.md",
  "./a.md",
  ".hidden.md",
  ".diary.md.1.tmp",
  "diary.md.1.tmp",
  "a.md\u0000.txt",
  "a\u0000.md",
  "a.md\nb",
  "a\n.md",
  "C:a.md",
  "C:\\a.md",
  "c:/a.md",
  "\\\\host\\share\\a.md",
  "//host/share/a.md",
  "\\\\?\\C:\\a.md",
  "\\\\.\\pipe\\a.md",
  "con",
  "CON.md",
  "nul.txt",
  "com1.md",
  "LPT9.md",
  "a.md:stream",
  "a.md::$DATA",
  "a.md.",
  "a.md ..",
  "DIARY~1.MD",
  "a.js",
  "%2e%2e.md",
  "a b.md",
  "дневник.md",
  "ａ.md",
  "a\u202e.md",
  "é.md",
  `${"a".repeat(60)}.md`,
])("%j is none", (given) => {
  expect(fileName(given)).toBeUndefined();
});
