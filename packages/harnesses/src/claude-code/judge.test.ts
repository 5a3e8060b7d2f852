import { describe, expect, it } from "vitest";
import type { WatchedSession } from "../types.ts";
import { judge } from "./judge.ts";
import type { SessionNote } from "./registry-file.ts";

const note = (status: SessionNote["status"], since: number, more: Partial<SessionNote> = {}): SessionNote => ({
  session: "s",
  status,
  since,
  ...more,
});
const session = (state: WatchedSession["state"], seq: number, more: Partial<WatchedSession> = {}): WatchedSession => ({
  session: "s",
  state,
  since: seq,
  seq,
  background: false,
  pid: 7,
  ...more,
});
const verdict = (...args: Parameters<typeof judge>): unknown => {
  const { session: _session, pid: _pid, ...said } = judge(...args)?.report ?? { session: "", state: "silent" };
  return said;
};

describe("what the hooks said stands", () => {
  it.each([
    ["a working session is busy", note("busy", 20), session("working", 10)],
    ["an idle session is idle", note("idle", 20), session("idle", 10)],
    ["the note is older than the hook", note("idle", 10), session("working", 20)],
    ["the note is as old as the hook", note("idle", 20), session("working", 20)],
    ["a subagent runs on after the reply", note("busy", 20), session("working", 10, { background: true })],
    ["a dialog is open, and moth knows", note("waiting", 20, { waitingFor: "permission prompt" }), session("waiting", 10)],
    ["the person opened a menu", note("waiting", 20, { waitingFor: "dialog open" }), session("idle", 10)],
  ])("%s", (_name, seen, known) => {
    expect(judge(seen, known, false)).toBeUndefined();
  });
});

describe("what no hook tells", () => {
  it.each<[string, SessionNote, WatchedSession, boolean, unknown]>([
    ["Esc during a turn", note("idle", 20), session("working", 10), false, { state: "idle", outcome: "interrupted", seq: 20 }],
    ["a refused dialog", note("idle", 20), session("waiting", 10), false, { state: "idle", outcome: "interrupted", seq: 20 }],
    ["a refusal with advice: the turn goes on", note("busy", 20), session("waiting", 10), false, { state: "working", seq: 20 }],
    ["a queued prompt begins", note("busy", 20), session("idle", 10), false, { state: "working", seq: 20 }],
    ["its end, of which nobody knows how", note("idle", 20), session("working", 10), true, { state: "idle", seq: 20 }],
    [
      "subagents that were stopped",
      note("idle", 20),
      session("working", 10, { background: true }),
      false,
      { state: "idle", seq: 20 },
    ],
    [
      "a turn that ended, as it seems while moth was away",
      note("idle", 20),
      session("working", 10, { restored: 15 }),
      false,
      { state: "idle", seq: 20 },
    ],
    [
      "a dialog hidden by another agent's turn",
      note("waiting", 20, { waitingFor: "permission prompt" }),
      session("working", 30),
      false,
      { state: "waiting", seq: 31, wait: { id: "dialog-20", kind: "permission", answerable: false } },
    ],
    [
      "another conversation in the same process",
      note("idle", 20, { session: "t" }),
      session("idle", 30),
      false,
      { state: "gone", seq: 30 },
    ],
  ])("%s", (_name, seen, known, own, expected) => {
    expect(verdict(seen, known, own)).toEqual(expected);
  });

  it("counts in time: within 3 s of Esc, within 1 s of an answer", () => {
    expect(judge(note("idle", 20), session("working", 10), false)?.settleMs).toBeLessThan(2500);
    expect(judge(note("busy", 20), session("waiting", 10), false)?.settleMs).toBe(0);
  });
});
