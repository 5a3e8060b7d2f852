import { expect, test } from "vitest";
import { field, list, parsed, text } from "./fields.ts";

test("what is not there, or is something else, counts as missing", () => {
  for (const stranger of [undefined, null, 7, "a", [], {}]) {
    expect(field(stranger, "a")).toBeUndefined();
    expect(text(stranger, "a")).toBeUndefined();
  }
  expect(text({ a: "" }, "a")).toBeUndefined();
  expect(text({ a: 7 }, "a")).toBeUndefined();
  expect(list("abc")).toEqual([]);
  expect(parsed(undefined)).toBeUndefined();
  expect(parsed("{")).toBeUndefined();
});

test("what is there is given as it is", () => {
  expect(field({ a: [1] }, "a")).toEqual([1]);
  expect(text({ a: "b" }, "a")).toBe("b");
  expect(list([1, 2])).toEqual([1, 2]);
  expect(parsed('{"a":1}')).toEqual({ a: 1 });
});
