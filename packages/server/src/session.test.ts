import type { StateReport, TurnReport } from "@moth-companion/core/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { only, play, state, turn, waiting, words } from "../test/reports.ts";
import { createSessions } from "./sessions.ts";

test.each<[string, (TurnReport | StateReport)[], string[]]>([
  ["a prompt and its reply", [state("working"), turn()], ["moth working", "moth idle done"]],
  [
    "a wait that the person answers",
    [state("working"), waiting("w1"), state("working", { ended: "w1" }), turn()],
    ["moth working", "moth waiting w1", "moth working", "moth idle done"],
  ],
  ["an older adapter, which sends replies only", [turn(), turn({ text: "More." })], ["moth idle done"]],
  ["a reply that failed, then one that did not", [turn({ outcome: "failed" }), turn()], ["moth idle failed", "moth idle done"]],
  [
    "Esc, told by a watch",
    [state("working"), state("idle", { outcome: "interrupted" })],
    ["moth working", "moth idle interrupted"],
  ],
  ["a reminder that it is idle", [state("working"), turn(), state("idle")], ["moth working", "moth idle done"]],
  [
    "two waits at once: the oldest shows until it is over",
    [waiting("w1"), waiting("w2"), state("working", { ended: "w1" }), state("working", { ended: "w2" })],
    ["moth working", "moth waiting w1", "moth waiting w2", "moth working"],
  ],
  [
    "the newer of two waits ends first",
    [waiting("w1"), waiting("w2"), state("working", { ended: "w2" })],
    ["moth working", "moth waiting w1"],
  ],
  ["the end of a wait nobody knows", [waiting("w1"), state("working", { ended: "other" })], ["moth working", "moth waiting w1"]],
  [
    "working without a wait's id ends them all",
    [waiting("w1"), waiting("w2"), state("working")],
    ["moth working", "moth waiting w1", "moth working"],
  ],
  ["a reply ends every wait", [waiting("w1"), turn()], ["moth working", "moth waiting w1", "moth idle done"]],
  [
    "the same wait told twice",
    [waiting("w1"), waiting("w1"), state("working", { ended: "w1" })],
    ["moth working", "moth waiting w1", "moth working"],
  ],
  [
    "a reply while tasks run on",
    [state("working"), turn({ state: "working" }), turn({ text: "All back." })],
    ["moth working", "moth idle done"],
  ],
  [
    "what still asks after a reply, a task in the background, waits on",
    [state("working"), waiting("w1"), turn({ state: "working" }), state("idle", { outcome: "interrupted" })],
    ["moth working", "moth waiting w1", "moth idle interrupted"],
  ],
  ["the end of a session", [state("idle"), state("gone")], ["moth idle", "moth gone"]],
  ["the end of a session nobody knew", [state("gone")], []],
  ["a report after the end", [state("idle"), state("gone"), state("working")], ["moth idle", "moth gone", "moth working"]],
  [
    "a wait after the end",
    [state("idle"), state("gone"), waiting("w1")],
    ["moth idle", "moth gone", "moth working", "moth waiting w1"],
  ],
])("%s", (_, reports, expected) => {
  expect(play(reports)).toEqual(expected);
});

test.each<[string, (TurnReport | StateReport)[], string[]]>([
  ["a prompt heard after its reply", [turn({ seq: 20 }), state("working", { seq: 10 })], ["moth idle done"]],
  ["a reply heard after the next prompt", [state("working", { seq: 20 }), turn({ seq: 10 })], ["moth working"]],
  [
    "a wait heard after its end",
    [state("working", { seq: 10 }), state("working", { seq: 30, ended: "w1" }), waiting("w1", { seq: 20 })],
    ["moth working"],
  ],
  ["a wait heard after the reply that ended it", [turn({ seq: 30 }), waiting("w1", { seq: 20 })], ["moth idle done"]],
  [
    "the end of an older wait, heard after a newer one opened",
    [waiting("w1", { seq: 10 }), waiting("w2", { seq: 30 }), state("working", { seq: 20, ended: "w1" })],
    ["moth working", "moth waiting w1", "moth waiting w2"],
  ],
  [
    "an older wait, heard after a newer one",
    [waiting("w2", { seq: 20 }), waiting("w1", { seq: 15 })],
    ["moth working", "moth waiting w2", "moth waiting w1"],
  ],
  [
    "an older idle, heard after a newer wait",
    [waiting("w1", { seq: 20 }), state("idle", { seq: 10 })],
    ["moth working", "moth waiting w1"],
  ],
  [
    "a wait of the same name as one that ended",
    [waiting("w1", { seq: 10 }), state("working", { seq: 20, ended: "w1" }), waiting("w1", { seq: 30 })],
    ["moth working", "moth waiting w1", "moth working", "moth waiting w1"],
  ],
  [
    "a late reply does not wake a session that ended",
    [state("idle", { seq: 5 }), state("gone", { seq: 30 }), turn({ seq: 20 })],
    ["moth idle", "moth gone"],
  ],
  [
    "two reports of one moment are taken as they come",
    [state("working", { seq: 10 }), turn({ seq: 10 })],
    ["moth working", "moth idle done"],
  ],
  ["a report without seq is taken as it comes", [turn({ seq: 20 }), state("working")], ["moth idle done", "moth working"]],
])("out of order: %s", (_, reports, expected) => {
  expect(play(reports)).toEqual(expected);
});

test("however the reports of one session are shuffled, the newest state wins", () => {
  const reports: (TurnReport | StateReport)[] = [
    state("working", { seq: 1 }),
    waiting("w1", { seq: 2 }),
    state("working", { seq: 3, ended: "w1" }),
    waiting("w2", { seq: 4 }),
    waiting("w3", { seq: 5 }),
    state("working", { seq: 6, ended: "w2" }),
  ];
  fc.assert(
    fc.property(fc.shuffledSubarray(reports, { minLength: reports.length }), (shuffled) => {
      const sessions = createSessions();
      play(shuffled, sessions);
      expect(only(sessions, 9000)).toMatchObject({ state: "waiting", wait: { id: "w3" } });
      play([turn({ seq: 7 })], sessions);
      expect(only(sessions, 9000)).toMatchObject({ state: "idle", outcome: "done" });
    }),
  );
});

test("a wait that ends within 300 ms never shows", () => {
  const sessions = createSessions();
  sessions.state(state("working"), 0);
  expect(sessions.state(waiting("w1"), 1000)).toEqual([]);
  expect(sessions.settleAt).toBe(1300);
  expect(sessions.settle(1299)).toEqual([]);
  expect(only(sessions, 1299).state).toBe("working");
  expect(sessions.state(state("working", { ended: "w1" }), 1299)).toEqual([]);
  expect(sessions.settle(1300)).toEqual([]);
  expect(sessions.settleAt).toBeUndefined();
});

test("a wait that lasts shows after 300 ms, as old as it is", () => {
  const sessions = createSessions();
  sessions.state(state("working"), 0);
  sessions.state(waiting("w1"), 1000);
  expect(words(sessions.settle(1300))).toEqual(["moth waiting w1"]);
  expect(only(sessions, 1300)).toMatchObject({ state: "waiting", since: 1000 });
});

test("a clock that jumps back hides a wait for 300 ms more, not for the length of the jump", () => {
  const sessions = createSessions();
  sessions.state(waiting("w1"), 1_000_000);
  expect(sessions.settle(5000)).toEqual([]);
  expect(sessions.settleAt).toBe(5300);
  expect(words(sessions.settle(5300))).toEqual(["moth waiting w1"]);
});

test("a turn's time is measured from the prompt to the reply, through waits", () => {
  const sessions = createSessions();
  sessions.state(state("working"), 0);
  sessions.state(waiting("w1"), 10_000);
  sessions.state(state("working", { ended: "w1" }), 20_000);
  sessions.state(state("working"), 30_000);
  expect(sessions.turn(turn(), 90_000).took).toBe(90_000);
  expect(sessions.turn(turn({ text: "Again." }), 95_000).took).toBeUndefined();
});

test("a turn after tasks in the background is measured from the prompt that followed", () => {
  const sessions = createSessions();
  sessions.state(state("working"), 0);
  expect(sessions.turn(turn({ state: "working" }), 5000).took).toBe(5000);
  expect(sessions.watched("pi")).toMatchObject([{ state: "working", background: true }]);
  sessions.state(state("working"), 60_000);
  expect(sessions.watched("pi")).toMatchObject([{ background: false }]);
  expect(sessions.turn(turn({ text: "All back." }), 70_000).took).toBe(10_000);
});

test("a late reply has no time, and a clock that jumps back makes none below zero", () => {
  const sessions = createSessions();
  sessions.state(state("working", { seq: 20 }), 5000);
  expect(sessions.turn(turn({ seq: 10 }), 6000).took).toBeUndefined();
  expect(sessions.turn(turn({ seq: 40 }), 100).took).toBe(0);
});

test("of two that tell of a wait the one that knows what is asked counts, whichever comes first", () => {
  const told = { id: "w1", kind: "permission" as const, text: "npm publish", answerable: true };
  for (const order of [
    [waiting("w1"), state("waiting", { wait: told })],
    [state("waiting", { wait: told }), waiting("w1")],
  ]) {
    const sessions = createSessions();
    play(order, sessions);
    expect(only(sessions, 2000)).toMatchObject({ state: "waiting", wait: told });
  }
});
