import { describe, expect, it } from "vitest";
import { parseDocument, valueOf, property } from "./jsonc.ts";
import { insertChild, removeChild } from "./jsonc-edit.ts";

const insert = (text: string, key = "new", value: unknown = { a: [1, { b: 2 }] }): { text: string; blank?: string } => {
  const document = parseDocument("f", text);
  return insertChild(document, document.root, document.root.type === "array" ? undefined : key, value);
};

describe("a new child is laid out as the others are", () => {
  it.each<[string, string]>([
    [`{\n    "a": 1\n}\n`, `{\n    "a": 1,\n    "new": {\n        "a": [1, { "b": 2 }]\n    }\n}\n`],
    [`{\n\t"a": 1,\n}`, `{\n\t"a": 1,\n\t"new": {\n\t\t"a": [1, { "b": 2 }]\n\t},\n}`],
    [`{\r\n  "a": 1 // one\r\n}\r\n`, `{\r\n  "a": 1, // one\r\n  "new": {\r\n    "a": [1, { "b": 2 }]\r\n  }\r\n}\r\n`],
    [`{ "a": 1 }`, `{ "a": 1, "new": { "a": [1, { "b": 2 }] } }`],
    [`{"a":1,"b":2}`, `{"a":1,"b":2,"new": { "a": [1, { "b": 2 }] }}`],
    [`{}`, `{\n  "new": {\n    "a": [1, { "b": 2 }]\n  }\n}`],
    [`{\n  // nothing yet\n}`, `{\n  // nothing yet\n  "new": {\n    "a": [1, { "b": 2 }]\n  }\n}`],
    [`{\n  "a": 1\n  // the end\n}`, `{\n  "a": 1,\n  "new": {\n    "a": [1, { "b": 2 }]\n  }\n  // the end\n}`],
    [`[\n  1\n]`, `[\n  1,\n  {\n    "a": [1, { "b": 2 }]\n  }\n]`],
  ])("%j", (before, after) => {
    expect(insert(before).text).toBe(after);
  });
});

describe("what others add around it stays when it goes", () => {
  it.each<[string, string, string]>([
    ["a member after it", `{\n  "a": 1,\n  "new": 1,\n  "b": 2\n}`, `{\n  "a": 1,\n  "b": 2\n}`],
    ["a comment above it", `{\n  "a": 1,\n  // mine\n  "new": 1\n}`, `{\n  "a": 1\n  // mine\n}`],
    ["a comment behind it", `{\n  "a": 1,\n  "new": 1 // mine\n}`, `{\n  "a": 1 // mine\n}`],
    ["a comma behind it", `{\n  "a": 1,\n  "new": 1,\n}`, `{\n  "a": 1,\n}`],
    ["a bracket behind a comment", `{\n  "a": 1, // one\n  "new": 1}`, `{\n  "a": 1 // one\n}`],
    ["it comes first now", `{\n  "new": 1,\n  "a": 1\n}`, `{\n  "a": 1\n}`],
    ["a comment in its place", `{ // mine\n  "new": 1 /* too */ }`, `{ // mine\n /* too */ }`],
  ])("%s", (_name, before, after) => {
    const document = parseDocument("f", before);
    const child = property(document.root, "new")!;
    expect(removeChild(document, document.root, child)).toBe(after);
    expect(valueOf(property(parseDocument("f", after).root, "new"))).toBeUndefined();
  });
});

describe("a text that is no JSON is refused with its place", () => {
  it.each<[string, number, number]>([
    [`{\n  "a": 1\n  "b": 2\n}`, 3, 3],
    [`{"a": }`, 1, 7],
    [`{"a": 1`, 1, 8],
    [``, 1, 1],
    [`// only a comment`, 1, 18],
    [`{} {}`, 1, 4],
    [`{'a': 1}`, 1, 2],
    ["[".repeat(200_000), 1, 1],
  ])("%j", (text, line, column) => {
    let error: unknown;
    try {
      parseDocument("/x/settings.json", text);
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ name: "PlanError", code: "UNPARSABLE", file: "/x/settings.json" });
    if (text.length < 100) expect(error).toMatchObject({ line, column });
  });
});
