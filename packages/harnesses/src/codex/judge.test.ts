import { describe, expect, it } from "vitest";
import type { WatchedSession } from "../types.ts";
import { judge, left } from "./judge.ts";
import { commandId } from "./payload.ts";
import type { RolloutLine } from "./rollout.ts";
import { advance, newTurn, type Turn } from "./turn.ts";

const HELPER = "019a7b00-2222-7aaa-8bbb-000000000002";
const line = (at: number, type: string, more: object = {}): RolloutLine => ({ at, type, payload: { type, ...more } });
const command = { cmd: "npm publish", justification: "It is ready." };
const id = commandId(command.cmd, command.justification);
const call = (at: number, call_id: string, input: object = command): RolloutLine =>
  line(at, "function_call", { call_id, arguments: JSON.stringify(input) });
const result = (at: number, call_id: string): RolloutLine => line(at, "function_call_output", { call_id });
const turnOf = (...lines: RolloutLine[]): Turn => {
  const turn = newTurn();
  for (const one of lines) advance(turn, one);
  return turn;
};
const session = (more: Partial<WatchedSession>): WatchedSession => ({
  session: "s",
  state: "working",
  since: 0,
  seq: 100,
  background: false,
  ...more,
});
const waiting = (call: string, more: Partial<WatchedSession> = {}): WatchedSession =>
  session({ state: "waiting", wait: { id: call, kind: "permission", answerable: false }, ...more });

describe("a turn whose end no hook told", () => {
  it.each([
    ["failed", line(200, "task_complete", { error: { message: "no", codex_error_info: "other" } }), "failed"],
    ["ran into a limit", line(200, "task_complete", { error: { codex_error_info: "usage_limit_exceeded" } }), "limit"],
    ["was interrupted", line(200, "turn_aborted", { reason: "interrupted" }), "interrupted"],
  ] as const)("that %s leaves the session idle at once", (_what, end, outcome) => {
    const report = { session: "s", seq: 200, state: "idle", outcome };
    expect(judge(session({}), turnOf(line(90, "task_started"), end), undefined)).toEqual({ report, settleMs: 0 });
    expect(judge(waiting(id), turnOf(line(90, "task_started"), end), undefined)).toEqual({ report, settleMs: 0 });
  });

  it("that is done leaves it idle, when its hook has had its time", () => {
    const verdict = judge(session({}), turnOf(line(90, "task_started"), line(200, "task_complete", { error: null })), undefined);
    expect(verdict).toEqual({ report: { session: "s", seq: 200, state: "idle", outcome: "done" }, settleMs: 1500 });
  });

  it("tells nothing while it runs, when the record says nothing of it, or when the session rests", () => {
    expect(judge(session({}), turnOf(line(90, "task_started")), undefined)).toBeUndefined();
    expect(judge(session({}), turnOf(line(50, "turn_aborted"), line(90, "task_started")), undefined)).toBeUndefined();
    expect(judge(session({}), newTurn(), undefined)).toBeUndefined();
    expect(judge(session({ state: "idle" }), turnOf(line(200, "turn_aborted")), undefined)).toBeUndefined();
  });

  it("a session that works on no turn is idle after a while, and how it ended is not known", () => {
    expect(judge(session({}), turnOf(line(90, "turn_aborted")), undefined)).toEqual({
      report: { session: "s", seq: 100, state: "idle" },
      settleMs: 1500,
    });
  });
});

const over = (ended: string, seq: number): object => ({
  report: { session: "s", seq, state: "working", ended },
  settleMs: 600,
});

describe("a wait whose end no hook tells", () => {
  const begun = line(80, "task_started");

  it("is over when its command has a result", () => {
    expect(judge(waiting(id), turnOf(begun, call(90, "c1")), undefined)).toBeUndefined();
    expect(judge(waiting(id), turnOf(begun, call(90, "c1"), result(150, "c1")), undefined)).toEqual(over(id, 150));
  });

  it("is not over when another call has one", () => {
    const other = call(91, "c2", { cmd: "ls" });
    expect(judge(waiting(id), turnOf(begun, call(90, "c1"), other, result(150, "c2")), undefined)).toBeUndefined();
  });

  it("is not over because the same command was run earlier in the turn", () => {
    const again = turnOf(begun, call(81, "c1"), result(95, "c1"), call(97, "c2"));
    expect(judge(waiting(id), again, undefined)).toBeUndefined();
    advance(again, result(130, "c2"));
    expect(judge(waiting(id), again, undefined)).toEqual(over(id, 130));
  });

  it("of a kind that its name does not tell is over when no call is open", () => {
    const patch = call(90, "c1", { patch: "x" });
    expect(judge(waiting("elsewhere"), turnOf(begun, patch), undefined)).toBeUndefined();
    expect(judge(waiting("elsewhere"), turnOf(begun, patch, result(150, "c1")), undefined)).toEqual(over("elsewhere", 150));
  });

  it("of a question is known by its call", () => {
    expect(judge(waiting("c1"), turnOf(begun, call(90, "c1", {}), result(150, "c1")), undefined)).toEqual(over("c1", 150));
  });

  it("of a subagent is looked for in its own record, and the session's turn may be over meanwhile", () => {
    const own = turnOf(begun, line(95, "task_complete"));
    const wait = `${HELPER}.${id}`;
    expect(judge(waiting(wait), own, turnOf(begun, call(90, "c1")))).toBeUndefined();
    expect(judge(waiting(wait), own, undefined)).toBeUndefined();
    expect(judge(waiting(wait), own, turnOf(begun, call(90, "c1"), result(150, "c1")))).toEqual(over(wait, 150));
  });

  it("of a plan is over with the next prompt, and nothing else tells", () => {
    const plan = waiting("plan-t", { wait: { id: "plan-t", kind: "plan", answerable: false } });
    expect(judge(plan, turnOf(begun, line(150, "task_complete")), undefined)).toBeUndefined();
  });
});

describe("sessions of one window", () => {
  it("that rest beside a newer one were left", () => {
    const old = session({ session: "old", state: "idle", pid: 7, seq: 100 });
    const fresh = session({ session: "new", pid: 7, seq: 200 });
    expect(left([old, fresh])).toEqual([old]);
    expect(left([old, { ...fresh, state: "idle" }])).toEqual([old]);
  });

  it("that work, or that live in other windows, were not", () => {
    const fresh = session({ session: "new", pid: 7, seq: 200 });
    expect(left([session({ session: "old", pid: 7 }), fresh])).toEqual([]);
    expect(left([session({ session: "old", state: "idle", pid: 8 }), fresh])).toEqual([]);
    expect(left([session({ session: "old", state: "idle" }), session({ session: "new", seq: 200 })])).toEqual([]);
    expect(left([session({ session: "only", state: "idle", pid: 7 })])).toEqual([]);
  });
});
