import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "@moth-companion/core/protocol";
import { waitNote, waitNotes } from "@moth-companion/core/wait-notes";
import { expect, test, vi } from "vitest";
import { state, turn, waiting } from "../test/reports.ts";
import { end, events, hear, type Place, place, rows } from "../test/roster-place.ts";
import { AWAY_MS, BEAT_MS, WORKING_AWAY_MS } from "./roster-keeper.ts";

const byId = (sessions: Session[]): Session[] => sessions.toSorted((a, b) => a.session.localeCompare(b.session));

test("a moth that is started anew knows who works, who waits and who is idle, and tells nobody", () => {
  const at = place();
  at.processes.set(1, "s1").set(2, "s2").set(3, "s3");
  const old = at.begin();
  hear(old.moth, state("working", { session: "a", pid: 1, seq: 1 }));
  hear(old.moth, waiting("w1", { session: "b", label: "lamp", pid: 2, seq: 2, pane: "tmux:%3@/tmp/x", cwd: "/home/me/lamp" }));
  hear(old.moth, turn({ session: "c", label: "fern", pid: 3, seq: 3, outcome: "failed" }));
  at.pass(1000);
  const before = old.moth.roster().sessions;
  expect(rows(old.moth)).toEqual(["a moth working", "b lamp waiting w1 waits", "c fern idle failed"]);
  end(old);
  at.pass(3000);
  const { moth } = at.begin();
  expect(byId(moth.roster().sessions)).toEqual(before);
  at.pass(60_000);
  expect(events(moth)).toEqual([]);
});

test("a wait that was taken back cannot be answered until its adapter tells of it anew, and is one wait then", () => {
  const at = place();
  const old = at.begin();
  hear(old.moth, waiting("w1", { seq: 10 }));
  at.pass(1000);
  end(old);
  const { moth } = at.begin();
  expect(moth.roster().sessions).toMatchObject([{ state: "waiting", wait: { id: "w1", answerable: false } }]);
  hear(moth, waiting("w1", { seq: 10 }), waiting("w1", { seq: 20 }));
  at.pass(1000);
  expect(moth.sessions.waits("pi", "s1")).toHaveLength(1);
  expect(events(moth)).toEqual([]);
  hear(moth, state("working", { ended: "w1", seq: 30 }));
  expect(rows(moth)).toEqual(["s1 moth working"]);
  expect(events(moth)).toMatchObject([{ kind: "state", state: "working" }]);
});

test("what ended a wait before counts afterwards, and a report that is older than the last changes nothing", () => {
  const at = place();
  const old = at.begin();
  hear(old.moth, waiting("w1", { seq: 10 }), state("working", { ended: "w1", seq: 20 }), turn({ seq: 30 }));
  end(old);
  const { moth } = at.begin();
  hear(moth, waiting("w1", { seq: 11 }), state("working", { seq: 25 }));
  at.pass(1000);
  expect(rows(moth)).toEqual(["s1 moth idle finished"]);
});

test("a turn that is told once more is no second card; the next one of the session is one", () => {
  const at = place();
  const old = at.begin();
  hear(old.moth, turn({ turn: "t1" }));
  end(old);
  const { moth } = at.begin();
  expect(moth.turn(turn({ turn: "t1" }))).toBe(false);
  expect(moth.turn(turn({ turn: "t2" }))).toBe(true);
  expect(moth.turn(turn({ session: "other", turn: "t1" }))).toBe(true);
});

test("how long a turn took counts from before", async () => {
  const at = place();
  const old = at.begin();
  hear(old.moth, state("working"));
  at.pass(5000);
  end(old);
  at.pass(2000);
  const { moth } = at.begin();
  hear(moth, turn());
  await vi.waitFor(() => expect(events(moth).find(({ kind }) => kind === "card")).toMatchObject({ took: 7000 }));
});

test("what was seen is not unread afterwards", () => {
  const at = place();
  const old = at.begin();
  hear(old.moth, state("working"), turn());
  old.moth.attention.seen(undefined);
  end(old);
  expect(rows(at.begin().moth)).toEqual(["s1 moth idle"]);
});

test("a moth that is killed loses a second at most, and for as long as it runs its sessions are as good as new", () => {
  const at = place();
  at.processes.set(7, "first");
  const { moth } = at.begin();
  hear(moth, waiting("w1", { pid: 7 }));
  at.pass(2000);
  // Nothing is heard for an hour; then it is killed.
  at.pass(3_600_000);
  at.pass(BEAT_MS / 2);
  expect(rows(at.begin().moth)).toEqual(["s1 moth waiting w1 waits"]);
});

test("nothing is written while nothing changes, but for the beat; and nothing at all without sessions", () => {
  const at = place();
  const { moth } = at.begin();
  moth.chat("hello");
  at.pass(2000);
  expect(existsSync(at.file)).toBe(false);
  hear(moth, state("working"));
  at.pass(2000);
  writeFileSync(at.file, "mine");
  moth.chat("hello");
  at.pass(BEAT_MS - 3000);
  expect(readFileSync(at.file, "utf8")).toBe("mine");
  at.pass(3000);
  expect(readFileSync(at.file, "utf8")).toContain('"working"');
  hear(moth, state("gone"));
  at.pass(2000);
  expect(existsSync(at.file)).toBe(false);
  at.pass(BEAT_MS * 2);
  expect(existsSync(at.file)).toBe(false);
});

test.each<[string, number, string[]]>([
  ["a moment", WORKING_AWAY_MS, ["a moth working", "b moth waiting w1", "c moth idle"]],
  ["longer than a turn may have taken", WORKING_AWAY_MS + 1000, ["b moth waiting w1", "c moth idle"]],
  ["a minute", AWAY_MS, ["b moth waiting w1", "c moth idle"]],
  ["longer", AWAY_MS + 1000, []],
  ["a day", 86_400_000, []],
])("after %s without moth, only what is as good as true is taken back", (_name, ms, expected) => {
  const at = place();
  const old = at.begin();
  hear(old.moth, state("working", { session: "a" }), waiting("w1", { session: "b" }), state("idle", { session: "c" }));
  at.pass(500);
  end(old);
  at.boot.uptime += ms;
  at.clock.jump(ms);
  const { moth } = at.begin();
  expect(
    moth
      .roster()
      .sessions.map(({ session }) => session)
      .toSorted(),
  ).toEqual(expected.map((row) => row[0]));
  expect(existsSync(at.file)).toBe(expected.length > 0);
});

/** Notes as hooks make them: of the first wait of each of these sessions. */
function note(at: Place, ...sessions: string[]): string[] {
  const folder = waitNotes(at.env);
  mkdirSync(folder, { recursive: true });
  const files = sessions.map((session) => join(folder, waitNote({ source: "pi", session }, "w1")));
  for (const file of files) writeFileSync(file, "");
  return files;
}

test("a wait that a hook has noted is taken back however long moth was away, until that note is gone", () => {
  const at = place();
  const sessions = ["noted", "answered", "ended", "unnoted", "no process"];
  const [, answered] = note(at, "noted", "answered", "ended", "no process");
  const old = at.begin();
  for (const [index, session] of sessions.entries()) {
    at.processes.set(index + 1, session);
    hear(old.moth, waiting("w1", { session, seq: index + 1, ...(session !== "no process" && { pid: index + 1 }) }));
  }
  at.pass(1000);
  end(old);
  at.processes.delete(3);
  rmSync(answered!);
  at.boot.uptime += 8 * 3_600_000;
  at.clock.jump(8 * 3_600_000);
  const { moth } = at.begin();
  expect(rows(moth)).toEqual(["noted moth waiting w1 waits"]);
  hear(moth, state("working", { session: "noted", ended: "w1", seq: 20 }));
  expect(rows(moth)).toEqual(["noted moth working"]);
});

test("a wait whose note has gone while moth was away for a moment is over; one that was never noted is not", () => {
  const at = place();
  const [noted] = note(at, "answered");
  const old = at.begin();
  for (const session of ["answered", "unnoted"]) {
    hear(old.moth, state("working", { session, label: session, seq: 1 }), waiting("w1", { session, label: session, seq: 2 }));
  }
  at.pass(1000);
  end(old);
  rmSync(noted!);
  at.pass(5000);
  expect(rows(at.begin().moth)).toEqual(["answered answered working", "unnoted unnoted waiting w1 waits"]);
});

test.each<[string, (at: Place) => void]>([
  ["its process has ended", ({ processes }) => processes.delete(7)],
  ["another program has its process id", ({ processes }) => processes.set(7, "later")],
  ["the machine was started anew", ({ boot }) => (boot.id = "boot-2")],
])("a session is not taken back when %s", (_name, change) => {
  const at = place();
  at.processes.set(7, "first");
  const old = at.begin();
  hear(old.moth, state("working", { pid: 7 }));
  at.pass(2000);
  end(old);
  change(at);
  expect(rows(at.begin().moth)).toEqual([]);
});

test("a process id that another program got while moth ran is not taken for the session's either", () => {
  const at = place();
  at.processes.set(7, "first");
  const old = at.begin();
  hear(old.moth, state("working", { pid: 7 }));
  at.pass(2000);
  at.processes.set(7, "later");
  hear(old.moth, state("idle", { pid: 7 }));
  end(old);
  expect(rows(at.begin().moth)).toEqual([]);
});

test("where the system tells nothing of a process's beginning, that it runs has to do", () => {
  const at = place();
  at.processes.set(7, undefined);
  const old = at.begin();
  hear(old.moth, state("working", { pid: 7 }));
  end(old);
  expect(rows(at.begin().moth)).toEqual(["s1 moth working"]);
});

test("one that is gone is not kept, nor one without a process that was silent for half an hour", () => {
  const at = place();
  at.processes.set(7, "first");
  const old = at.begin();
  hear(old.moth, state("idle", { session: "old" }), state("idle", { session: "window", pid: 7 }));
  at.pass(31 * 60_000);
  hear(old.moth, state("idle", { session: "new" }), state("working", { session: "ended" }), state("gone", { session: "ended" }));
  end(old);
  expect(rows(at.begin().moth)).toEqual(["new moth idle", "window moth idle"]);
});

test.each([-86_400_000, -3000, 3000, 86_400_000])("a clock that is set by %d ms meanwhile changes nothing", (ms) => {
  const at = place();
  const old = at.begin();
  const seq = at.clock.now();
  hear(old.moth, state("working", { seq }));
  at.pass(10_000);
  end(old);
  at.pass(1000);
  at.clock.jump(ms);
  const { moth } = at.begin();
  const [row] = moth.roster().sessions;
  expect(at.clock.now() - row!.since).toBe(11_000);
  expect(row!.active).toBe(true);
  // Its adapter counts by the same clock.
  hear(moth, turn({ seq: at.clock.now() }));
  expect(rows(moth)).toEqual(["s1 moth idle finished"]);
});

test("two that are the same by name stay apart, and keep their names", () => {
  const at = place();
  const old = at.begin();
  hear(old.moth, state("idle", { session: "0000-3f2a" }), state("idle", { session: "0000-77b1" }));
  end(old);
  expect(rows(at.begin().moth)).toEqual(["0000-3f2a moth (3f2a) idle", "0000-77b1 moth (77b1) idle"]);
});

test("what moth is made to forget is gone at once", () => {
  const at = place();
  const old = at.begin();
  hear(old.moth, state("working"));
  at.pass(2000);
  old.moth.reset(false);
  expect(existsSync(at.file)).toBe(true);
  old.moth.reset(true);
  expect(existsSync(at.file)).toBe(false);
  end(old);
  expect(existsSync(at.file)).toBe(false);
});

test("a moth that has ended writes no more, whatever it still hears", () => {
  const at = place();
  const old = at.begin();
  hear(old.moth, state("working"));
  end(old);
  const text = readFileSync(at.file, "utf8");
  hear(old.moth, state("idle"));
  at.pass(60_000);
  expect(readFileSync(at.file, "utf8")).toBe(text);
});
