import { expect, test } from "vitest";
import { diffLines } from "./diff.ts";

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join("");
const diff = (before: string | undefined, after: string | undefined): string[] | undefined =>
  diffLines(before === undefined ? undefined : Buffer.from(before), after === undefined ? undefined : Buffer.from(after));

test("added lines, with a few around them", () => {
  expect(diff(lines(1, 20), lines(1, 10) + "new\n" + lines(11, 20))).toEqual([
    "  line 9",
    "  line 10",
    "+ new",
    "  line 11",
    "  line 12",
  ]);
});

test("two places are told apart", () => {
  expect(diff(lines(1, 20), "first\n" + lines(1, 19) + "last\n")).toEqual([
    "+ first",
    "  line 1",
    "  line 2",
    "  …",
    "  line 18",
    "  line 19",
    "- line 20",
    "+ last",
  ]);
});

test("a new file is all plus, a removed one all minus", () => {
  expect(diff(undefined, "a\nb\n")).toEqual(["+ a", "+ b"]);
  expect(diff("a\nb\n", undefined)).toEqual(["- a", "- b"]);
});

test("the same contents show nothing", () => {
  expect(diff(lines(1, 5), lines(1, 5))).toEqual([]);
});

test("what a terminal would obey is taken out", () => {
  expect(diff("", "a\u001b[31mb\u0007\n")).toEqual(["+ ab"]);
});

test.each([
  ["binary", "a\u0000b"],
  ["very long", lines(1, 2000)],
])("%s contents are not shown", (_, text) => {
  expect(diff("", text)).toBeUndefined();
});

test("a long line is shown shortened around what changes in it", () => {
  const before = `{${'"a":1,'.repeat(100)}"z":0}`;
  const after = before.replace('"z":0', '"hooks":[1],"z":0');
  expect(diff(before, after)).toEqual(['- …,"a":1,"a":1,"a":1,"z":0}', '+ …,"a":1,"a":1,"a":1,"hooks":[1],"z":0}']);
  expect(diff(undefined, `${"x".repeat(500)}\n`)).toEqual([`+ ${"x".repeat(160)}…`]);
  const [gone, come] = diff(before, before.replace("{", `{"new":"${"y".repeat(900)}",`)) ?? [];
  expect([gone?.slice(0, 10), come?.slice(0, 20), come?.length]).toEqual(['- {"a":1,"', '+ {"new":"yyyyyyyyyy', 2 + 160 + 1]);
});
