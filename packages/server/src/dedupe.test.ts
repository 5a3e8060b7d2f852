import { expect, test } from "vitest";
import { createDedupe } from "./dedupe.ts";

const turn = { source: "pi", session: "s1", text: "Done." };

test("a named turn with the same text is heard once, however late it comes again", () => {
  const dedupe = createDedupe();
  expect(dedupe.isRepeat({ ...turn, turn: "t1" }, 0)).toBe(false);
  expect(dedupe.isRepeat({ ...turn, turn: "t1" }, 3_600_000)).toBe(true);
});

test.each([
  ["another text of the turn", { ...turn, turn: "t1", text: "Done, really." }],
  ["another turn with this text", { ...turn, turn: "t2" }],
  ["another session", { ...turn, turn: "t1", session: "s2" }],
  ["another harness", { ...turn, turn: "t1", source: "codex" }],
])("%s is no repeat", (_, other) => {
  const dedupe = createDedupe();
  dedupe.isRepeat({ ...turn, turn: "t1" }, 0);
  expect(dedupe.isRepeat(other, 0)).toBe(false);
});

test("the same text of a turn without a name is a repeat within two seconds", () => {
  const dedupe = createDedupe();
  expect(dedupe.isRepeat(turn, 10_000)).toBe(false);
  expect(dedupe.isRepeat(turn, 12_000)).toBe(true);
  expect(dedupe.isRepeat(turn, 12_001)).toBe(false);
  expect(dedupe.isRepeat(turn, 12_500)).toBe(true);
});

test("a clock that jumps back by an hour loses no turn", () => {
  const dedupe = createDedupe();
  dedupe.isRepeat(turn, 3_600_000);
  expect(dedupe.isRepeat(turn, 0)).toBe(false);
});

test("it remembers so many turns, and so much text, and no more", () => {
  const few = createDedupe({ turns: 2, text: 1000 });
  for (const name of ["t1", "t2", "t3"]) few.isRepeat({ ...turn, turn: name }, 0);
  expect(few.isRepeat({ ...turn, turn: "t3" }, 0)).toBe(true);
  expect(few.isRepeat({ ...turn, turn: "t1" }, 0)).toBe(false);
  const short = createDedupe({ turns: 100, text: 30 });
  short.isRepeat({ ...turn, text: "123456" }, 0);
  short.isRepeat({ ...turn, text: "x".repeat(50) }, 0);
  expect(short.isRepeat({ ...turn, text: "x".repeat(50) }, 0)).toBe(true);
  expect(short.isRepeat({ ...turn, text: "123456" }, 0)).toBe(false);
});

test("what it heard can be forgotten", () => {
  const dedupe = createDedupe();
  dedupe.isRepeat(turn, 0);
  dedupe.clear();
  expect(dedupe.isRepeat(turn, 0)).toBe(false);
});
