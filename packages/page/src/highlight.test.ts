import { expect, test } from "vitest";
import { tokens } from "./highlight.ts";

const kinds = (code: string, language?: string): string[] =>
  tokens(code, language).flatMap(([text, kind]) => (kind ? [`${kind} ${text}`] : []));

test.each<[string, string | undefined, string[]]>([
  ["const a = 1; // one", "ts", ["keyword const", "number 1", "comment // one"]],
  ["def f(): # say\n  return 'x'", "python", ["keyword def", "comment # say", "keyword return", "string 'x'"]],
  ["a = /* b\nc */ `d\n${e}`", undefined, ["comment /* b\nc */", "string `d\n${e}`"]],
  ["# a heading", undefined, []],
  ["+ new\n- old\n@@ 1 @@\n same", "diff", ["added + new\n", "removed - old\n", "comment @@ 1 @@\n"]],
  ["const a = 1", "text", []],
  [`"an open string`, "js", []],
  ["constant classy", "js", []],
])("%j as %s", (code, language, expected) => {
  expect(kinds(code, language)).toEqual(expected);
  expect(
    tokens(code, language)
      .map(([text]) => text)
      .join(""),
  ).toBe(code);
});

test("very long code stays plain", () => {
  expect(tokens("const a = 1;\n".repeat(2000), "ts")).toHaveLength(1);
});
