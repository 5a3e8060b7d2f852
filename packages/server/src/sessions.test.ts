import type { Outcome, Session, StateReport, TurnReport, Wait } from "@moth-companion/core/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ACTIVE_MS, createSessions, type StateChange } from "./sessions.ts";

const MINUTE = 60_000;
const wait = (id: string): Wait => ({ id, kind: "permission", answerable: false });
const turn = (more: Partial<TurnReport> = {}): TurnReport => ({
  source: "pi",
  session: "s1",
  label: "moth",
  text: "Done.",
  ...more,
});
const state = (state: StateReport["state"], more: Partial<StateReport> = {}): StateReport => ({
  source: "pi",
  session: "s1",
  label: "moth",
  state,
  ...more,
});
const waiting = (id: string, more: Partial<StateReport> = {}): StateReport => state("waiting", { wait: wait(id), ...more });

/** A change in a word: what a display would see. */
const words = (changes: StateChange[]): string[] =>
  changes.map((change) =>
    [change.label, change.state, change.wait?.id, change.outcome].filter((word) => word !== undefined).join(" "),
  );

/** Plays reports 1 s apart, settling in between, and tells all that showed. */
function play(reports: (TurnReport | StateReport)[], sessions = createSessions()): string[] {
  return reports.flatMap((report, i) => {
    const now = i * 1000;
    const changes = "text" in report ? sessions.turn(report, now).changes : sessions.state(report, now);
    return words([...changes, ...sessions.settle(now + 500)]);
  });
}

function only(sessions: ReturnType<typeof createSessions>, now: number): Session {
  const [first, ...others] = sessions.list(now);
  if (!first || others.length > 0) throw new Error("There is not exactly one session");
  return first;
}

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

test("sessions are told apart by harness and id, and a harness that names none is one session", () => {
  const sessions = createSessions();
  sessions.turn(turn({ session: "a" }), 0);
  sessions.turn(turn({ session: "b" }), 0);
  sessions.turn(turn({ session: "a", source: "codex" }), 0);
  sessions.turn({ source: "old", text: "Done." }, 0);
  sessions.turn({ source: "old", text: "Done again." }, 0);
  expect(sessions.list(0).map(({ source, session, label }) => `${source}/${session}: ${label}`)).toEqual([
    "pi/a: moth (pi a)",
    "pi/b: moth (pi b)",
    "codex/a: moth (codex a)",
    "old/: old",
  ]);
});

test("without a label, the first 8 characters of the id stand in, or else the harness", () => {
  const sessions = createSessions();
  sessions.turn({ source: "pi", session: "0123456789", text: "Done." }, 0);
  sessions.turn({ source: "pi", text: "Done." }, 0);
  expect(sessions.list(0).map(({ label }) => label)).toEqual(["01234567", "pi"]);
});

test("two active sessions in folders of one name get the end of their ids, while both are active", () => {
  const sessions = createSessions();
  const first = turn({ session: "0000-3f2a" });
  const second = turn({ session: "0000-77b1", source: "codex" });
  expect(words(sessions.turn(first, 0).changes)).toEqual(["moth idle done"]);
  expect(words(sessions.turn(second, MINUTE).changes)).toEqual(["moth (77b1) idle done"]);
  expect(sessions.label("pi", "0000-3f2a", MINUTE)).toBe("moth (3f2a)");
  expect(sessions.label("pi", "0000-3f2a", ACTIVE_MS - 1)).toBe("moth (3f2a)");
  expect(sessions.label("codex", "0000-77b1", ACTIVE_MS)).toBe("moth");
  sessions.turn({ ...first, text: "Back." }, ACTIVE_MS);
  expect(sessions.label("codex", "0000-77b1", ACTIVE_MS)).toBe("moth (77b1)");
  sessions.state(state("gone", { session: "0000-3f2a" }), ACTIVE_MS + 1);
  expect(sessions.label("codex", "0000-77b1", ACTIVE_MS + 1)).toBe("moth");
});

test("a session that moves to another folder takes its name with it", () => {
  const sessions = createSessions();
  sessions.turn(turn({ session: "0000-3f2a" }), 0);
  sessions.turn(turn({ session: "0000-77b1" }), 0);
  sessions.state(state("idle", { session: "0000-77b1", label: "lamp" }), 0);
  expect(sessions.list(0).map(({ label }) => label)).toEqual(["moth", "lamp"]);
});

test("a session is active for 30 minutes after it was last heard, unless it is gone", () => {
  const sessions = createSessions();
  sessions.turn(turn(), 0);
  expect(only(sessions, 30 * MINUTE - 1).active).toBe(true);
  expect(only(sessions, 30 * MINUTE).active).toBe(false);
  sessions.state(state("gone"), MINUTE);
  expect(only(sessions, MINUTE).active).toBe(false);
});

test("a session whose process has ended is gone, others are not", () => {
  const sessions = createSessions();
  sessions.state(waiting("w1", { pid: 11 }), 0);
  sessions.settle(500);
  sessions.turn(turn({ session: "s2", label: "lamp", pid: 12 }), 0);
  sessions.turn(turn({ session: "s3", label: "leaf" }), 0);
  const asked: number[] = [];
  const reap = (): StateChange[] =>
    sessions.reap((pid) => {
      asked.push(pid);
      return pid !== 11;
    }, 1000);
  expect(words(reap())).toEqual(["moth gone"]);
  expect(reap()).toEqual([]);
  expect(asked).toEqual([11, 12, 12]);
});

test("one row of the roster has what the state has, and no more", () => {
  const sessions = createSessions();
  sessions.state(waiting("w1", { pid: 11, pane: "%3" }), 0);
  sessions.settle(400);
  expect(only(sessions, 500)).toEqual({
    source: "pi",
    session: "s1",
    label: "moth",
    state: "waiting",
    wait: wait("w1"),
    since: 0,
    heard: 0,
    active: true,
    pid: 11,
    pane: "%3",
  });
  sessions.turn(turn({ outcome: "limit" satisfies Outcome }), 700);
  expect(only(sessions, 800)).toMatchObject({ state: "idle", outcome: "limit", since: 700, heard: 700 });
  expect(only(sessions, 800)).not.toHaveProperty("wait");
});

test("a watch sees a wait at once, with the newest seq, and no session that is gone", () => {
  const sessions = createSessions();
  sessions.state(state("working", { seq: 5 }), 0);
  sessions.state(waiting("w1", { seq: 9 }), 100);
  sessions.turn(turn({ session: "s2" }), 0);
  sessions.state(state("gone", { session: "s2" }), 0);
  sessions.turn(turn({ source: "codex" }), 0);
  expect(sessions.watched("pi")).toEqual([
    { session: "s1", state: "waiting", wait: wait("w1"), since: 100, seq: 9, background: false },
  ]);
});

test("of more than a thousand sessions, those longest gone go first, then those longest silent", () => {
  const sessions = createSessions(3);
  sessions.turn(turn({ session: "silent" }), 0);
  sessions.turn(turn({ session: "heard" }), 10);
  sessions.turn(turn({ session: "ended" }), 20);
  sessions.state(state("gone", { session: "ended" }), 30);
  const left = (): string[] => sessions.list(50).map(({ session }) => session);
  sessions.turn(turn({ session: "new1" }), 40);
  expect(left()).toEqual(["silent", "heard", "new1"]);
  sessions.turn(turn({ session: "new2" }), 50);
  expect(left()).toEqual(["heard", "new1", "new2"]);
});

test("a thousand sessions in one folder cost little", () => {
  const sessions = createSessions();
  for (let i = 0; i < 1200; i++) sessions.turn(turn({ session: `id-${i}` }), i);
  expect(sessions.list(1200)).toHaveLength(1000);
  expect(new Set(sessions.list(1200).map(({ label }) => label)).size).toBe(1000);
});

test("everything can be forgotten", () => {
  const sessions = createSessions();
  sessions.state(waiting("w1"), 0);
  sessions.clear();
  expect(sessions.list(0)).toEqual([]);
  expect(sessions.settle(1000)).toEqual([]);
  expect(sessions.settleAt).toBeUndefined();
});
