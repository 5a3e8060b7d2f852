import { expect, test } from "vitest";
import { readWords } from "./arguments.ts";

const groups = ["hook", "reports", "resources"].map((name) => ({ name, title: `all about ${name}` }));
const chosen = (...args: string[]): unknown => {
  const read = readWords(args, groups);
  return "problem" in read ? read.problem : read.chosen.map(({ name }) => name);
};

test("without a word all is measured, in its order; a word is the beginning of names", () => {
  expect(chosen()).toEqual(["hook", "reports", "resources"]);
  expect(chosen("--", "re")).toEqual(["reports", "resources"]);
  expect(chosen("resources", "hook")).toEqual(["hook", "resources"]);
});

test("a word that means nothing is told, with those that do", () => {
  expect(chosen("hook", "--fast")).toMatch(/nothing is called --fast\..*--short[^]* {2}hook {7}all about hook/);
});

test("what is written down is a whole run", () => {
  expect(readWords(["--write"], groups)).toMatchObject({ write: true, short: false, json: false });
  expect(chosen("--write", "--short")).toContain("--write is for a whole run");
  expect(chosen("--write", "hook")).toContain("--write is for a whole run");
});
