import { expect, test } from "vitest";
import { runnable } from "./runnable.ts";

test.each([
  ["Start it: moth up", "Start it: npx moth up"],
  ["moth stop, then moth up -d", "npx moth stop, then npx moth up -d"],
  ["Keep one: `moth unhook wren` removes it", "Keep one: `npx moth unhook wren` removes it"],
  ["See moth --help", "See npx moth --help"],
  ["Did you mean moth hooks?", "Did you mean npx moth hooks?"],
])("%s", (said, typed) => {
  expect(runnable(said, "npx moth")).toBe(typed);
  expect(runnable(typed, "npx moth")).toBe(typed);
  expect(runnable(said, "moth")).toBe(said);
});

test.each(["moth stops, moth hooked into it", 'there is no session "moth up"', "/my/moth hook/x", "node /a/moth hook"])(
  "%s names no command",
  (text) => {
    expect(runnable(text, "npx moth")).toBe(text);
  },
);

test("a path in place of the name is taken as it is", () => {
  expect(runnable("moth up", 'node "/a $& b/moth.mjs"')).toBe('node "/a $& b/moth.mjs" up');
});
