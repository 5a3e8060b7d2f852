import { expect, test } from "vitest";
import { troubleOf } from "./next-step.ts";

const wren = { id: "wren", name: "Wren", found: true, configDir: "/", where: [], notifiers: [], movedBy: [] };

test.each([
  ["Wren runs moth's hooks only when you trust them", "Wren runs moth's hooks only when you trust them. Run it."],
  ["its settings cannot be read", "Wren: its settings cannot be read. Run it."],
  ["Wrens sing", "Wren: Wrens sing. Run it."],
])("a problem that begins with the harness's name is not given it again: %s", (problem, told) => {
  expect(troubleOf({ ...wren, status: "waiting-for-trust", problem, advice: "Run it" }, "moth")).toBe(told);
});
