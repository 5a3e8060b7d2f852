import { expect, test } from "vitest";
import { suggest } from "./suggest.ts";

const known = ["up", "stop", "status", "tail", "ps", "hooks", "hook", "unhook", "config", "forget", "doctor"];

test.each([
  ["hok", "hook"],
  ["unhok", "unhook"],
  ["taill", "tail"],
  ["tial", "tail"],
  ["sttaus", "status"],
  ["STATUS", "status"],
  ["conf", "config"],
  ["doc", "doctor"],
])("%s is taken for %s", (word, meant) => {
  expect(suggest(word, known)).toBe(meant);
});

test.each(["", "xyzzy", "q1", "remember"])("%j is taken for nothing", (word) => {
  expect(suggest(word, known)).toBeUndefined();
});
