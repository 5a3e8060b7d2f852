import { expect, test } from "vitest";
import { colorDepth, createStyle } from "./style.ts";

const terminal = { isTTY: true, getColorDepth: () => 24 };

test.each([
  ["a terminal decides for itself", terminal, {}, 24],
  ["NO_COLOR turns colour off, whatever it is set to", terminal, { NO_COLOR: "0" }, 1],
  ["an empty NO_COLOR counts as not set", terminal, { NO_COLOR: "" }, 24],
  ["a dumb terminal gets none", terminal, { TERM: "dumb" }, 1],
  ["a pipe gets none", {}, {}, 1],
  ["a pipe gets some when asked for", {}, { FORCE_COLOR: "1" }, 8],
  ["NO_COLOR beats FORCE_COLOR", {}, { FORCE_COLOR: "1", NO_COLOR: "1" }, 1],
])("%s", (_, stream, env, depth) => {
  expect(colorDepth(stream, env)).toBe(depth);
});

test.each([
  [24, "\u001b[38;2;242;185;59mmoth>\u001b[39m"],
  [8, "\u001b[38;5;215mmoth>\u001b[39m"],
  [4, "\u001b[33mmoth>\u001b[39m"],
  [1, "moth>"],
])("lamp yellow with %i bits of colour", (depth, text) => {
  expect(createStyle(depth).lamp("moth>")).toBe(text);
});

test("nothing is painted around nothing", () => {
  expect(createStyle(24).dim("")).toBe("");
});
