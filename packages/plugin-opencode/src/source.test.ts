import { expect, test } from "vitest";
import { sourceOf } from "./source.ts";

const CASES = [
  ["OpenCode", { OPENCODE: "1", OPENCODE_PID: "7" }, "opencode"],
  ["Kilo, which calls itself OpenCode too", { OPENCODE: "1", KILO: "1", KILO_PID: "7" }, "kilo"],
  ["an OpenCode that Kilo has started", { OPENCODE: "1", KILO: "1", KILO_PID: "3", OPENCODE_PID: "7" }, "opencode"],
  ["a Kilo that OpenCode has started", { OPENCODE: "1", KILO: "1", KILO_PID: "7", OPENCODE_PID: "3" }, "kilo"],
  ["a Kilo that does not tell its process", { KILO: "1" }, "kilo"],
  ["an OpenCode that does not", {}, "opencode"],
] as const;

for (const [who, env, source] of CASES) test(`${who} is ${source}`, () => expect(sourceOf(env, 7)).toBe(source));
