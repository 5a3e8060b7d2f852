import { expect, test } from "vitest";
import { only, state, turn, wait, waiting, words } from "../test/reports.ts";
import { ACTIVE_MS, createSessions, type StateChange } from "./sessions.ts";

const MINUTE = 60_000;

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

test("a session that comes back is no longer of the process it was gone with", () => {
  const sessions = createSessions();
  sessions.state(state("working", { pid: 11 }), 0);
  sessions.state(state("gone"), 1000);
  sessions.state(state("working"), 2000);
  expect(sessions.reap(() => false, 3000)).toEqual([]);
  expect(only(sessions, 3000)).not.toHaveProperty("pid");
  sessions.state(state("working", { pid: 12 }), 4000);
  expect(words(sessions.reap((pid) => pid !== 12, 5000))).toEqual(["moth gone"]);
});

test("a session's folder is the one its process was begun in, wherever its agent goes", () => {
  const sessions = createSessions();
  sessions.state(state("idle"), 0);
  expect(only(sessions, 0)).not.toHaveProperty("cwd");
  sessions.state(state("working", { cwd: "/work/app" }), 1);
  sessions.turn(turn({ cwd: "/work/app/src" }), 2);
  expect(only(sessions, 3).cwd).toBe("/work/app");
  sessions.state(state("gone", { cwd: "/work/app/src" }), 4);
  expect(only(sessions, 5).cwd).toBe("/work/app");
  sessions.state(state("working", { cwd: "/work/other" }), 6);
  expect(only(sessions, 7).cwd).toBe("/work/other");
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
  sessions.turn(turn({ outcome: "limit" }), 700);
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
