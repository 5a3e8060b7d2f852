import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { operandWords, shellWord } from "./shell-word.ts";

test.each(["app", "app (b330)", "it's", "$(touch ran) `touch ran`", 'a\\b "c"', "-v", "übung", "a;b|c&d>e", "~", "*"])(
  "%j is one word to a shell, and runs nothing",
  (word) => {
    expect(execFileSync("sh", ["-c", `printf %s ${shellWord(word, "linux")}`], { encoding: "utf8" })).toBe(word);
  },
);

test("a plain word stands as it is; on Windows quotes are double", () => {
  expect([shellWord("api/web-2", "linux"), shellWord("app (b330)", "win32")]).toEqual(["api/web-2", '"app (b330)"']);
});

test("operands that begin with a dash stand behind the sign that keeps them from being flags", () => {
  expect(operandWords("api", "allow")).toBe("api allow");
  expect(operandWords("--help", "allow")).toBe("-- '--help' allow");
  expect(operandWords("api", "-n", "-v")).toBe("api -- '-n' '-v'");
});
