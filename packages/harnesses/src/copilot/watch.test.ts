import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { WatchedSession, WatchHost } from "../types.ts";
import { startWatch } from "./watch.ts";

const SESSION = "5e550001-0000-4000-8000-000000000000";
const START = Date.parse("2026-11-30T08:00:00.000Z");
let home: string;
let file: string;
let env: Record<string, string>;
let sessions: WatchedSession[];
let report: ReturnType<typeof vi.fn<WatchHost["report"]>>;
let watch: { stop(): void };

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  home = mkdtempSync(join(tmpdir(), "moth-copilot-watch-"));
  file = join(home, ".copilot", "session-state", SESSION, "events.jsonl");
  mkdirSync(dirname(file), { recursive: true });
  env = { HOME: home, USERPROFILE: home };
  report = vi.fn<WatchHost["report"]>();
  sessions = [{ session: SESSION, state: "working", since: START, seq: START, background: false }];
  watch = startWatch({ env, now: Date.now, sessions: () => sessions, report });
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
  rmSync(home, { recursive: true });
});

/** Writes a record that is dated now. */
function write(type: string, data: object = {}, agentId?: string): number {
  const record = { type, data, timestamp: new Date().toISOString(), ...(agentId !== undefined && { agentId }) };
  appendFileSync(file, `${JSON.stringify(record)}\n`);
  return Date.now();
}
const hook = (hookType: string): number => write("hook.start", { hookType, input: { timestamp: Date.now() } });
const become = (state: WatchedSession["state"], more: Partial<WatchedSession> = {}): void => {
  sessions = [{ session: SESSION, state, since: Date.now(), seq: Date.now(), background: false, ...more }];
};
const told = (): unknown[] => report.mock.calls.map(([{ session, ...rest }]) => (session === SESSION ? rest : session));

it("tells of a turn that has begun while moth was away", () => {
  become("idle", { since: START - 3_600_000, seq: START - 3_600_000, restored: START });
  const at = write("user.message");
  vi.advanceTimersByTime(1000);
  expect(told()[0]).toEqual({ state: "working", seq: at });
});

describe("the end of a turn that no hook tells of", () => {
  it.each<[string, string, object, string]>([
    ["Esc", "abort", { reason: "user_abort" }, "interrupted"],
    ["an error", "session.error", { errorType: "query", statusCode: 400 }, "failed"],
    ["too many requests", "session.error", { errorType: "rate_limit", statusCode: 429 }, "limit"],
  ])("%s", (_name, type, data, outcome) => {
    write("user.message");
    vi.advanceTimersByTime(500);
    const at = write(type, data);
    vi.advanceTimersByTime(1000);
    expect(told()[0]).toEqual({ state: "idle", outcome, seq: at });
  });

  it.each([
    ["a prompt", "agentStop"],
    ["the first prompt", "sessionStart"],
  ])("%s that was taken back before any reply: the record is as it was before", (_name, last) => {
    write("session.start");
    hook(last);
    const before = readFileSync(file);
    vi.advanceTimersByTime(100);
    write("user.message");
    become("working");
    vi.advanceTimersByTime(5000);
    expect(report).not.toHaveBeenCalled();
    writeFileSync(file, before);
    vi.advanceTimersByTime(1600);
    expect(told()[0]).toEqual({ state: "idle", outcome: "interrupted", seq: START + 100 });
  });

  it("an error that comes after the turn was over, for want of words, is none", () => {
    write("user.message");
    hook("agentStop");
    vi.advanceTimersByTime(20);
    become("idle");
    write("session.error", { errorType: "query" });
    vi.advanceTimersByTime(5000);
    expect(report).not.toHaveBeenCalled();
  });

  it("a Stop whose hook was not heard", () => {
    write("user.message");
    const at = hook("agentStop");
    vi.advanceTimersByTime(2000);
    expect(report).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1500);
    expect(told()[0]).toEqual({ state: "idle", outcome: "done", seq: at });
  });

  it("tries again, which Copilot does with some errors, are none", () => {
    write("user.message");
    hook("errorOccurred");
    vi.advanceTimersByTime(60_000);
    expect(report).not.toHaveBeenCalled();
  });

  it("a subagent's end is none of the session's", () => {
    write("user.message");
    write("abort", {}, "a1");
    vi.advanceTimersByTime(5000);
    expect(report).not.toHaveBeenCalled();
  });
});

describe("subagents in the background", () => {
  beforeEach(() => {
    write("user.message");
    write("subagent.started", { executionMode: "background" }, "a1");
    hook("agentStop");
    become("working", { background: true });
    vi.advanceTimersByTime(5000);
  });

  it("keep it at work", () => {
    expect(report).not.toHaveBeenCalled();
  });

  it("that are told to stop leave the session idle, and the reply that was heard as it is", () => {
    write("subagent.completed", { cancelled: true }, "a1");
    vi.advanceTimersByTime(1500);
    expect(told()[0]).toEqual({ state: "idle", seq: START });
  });

  it("whose news begin a turn do not", () => {
    write("subagent.completed", {}, "a1");
    vi.advanceTimersByTime(500);
    hook("userPromptSubmitted");
    become("working");
    vi.advanceTimersByTime(5000);
    expect(report).not.toHaveBeenCalled();
  });
});

describe("a wait", () => {
  const request = { requestId: "r1", permissionRequest: { toolCallId: "c1" } };
  it("for a plan is told by the record alone, once", () => {
    write("user.message");
    const at = write("tool.execution_start", { toolCallId: "c1", toolName: "exit_plan_mode" });
    vi.advanceTimersByTime(1000);
    const wait = { id: "c1", kind: "plan", tool: "exit_plan_mode", answerable: false };
    expect(told()).toEqual([{ state: "waiting", wait, seq: at }]);
  });

  it.each<[string, () => number]>([
    ["a permission", () => write("permission.completed", { requestId: "r1", result: { kind: "approved" } })],
    ["a plan or a question", () => write("tool.execution_complete", { toolCallId: "r1" })],
  ])("is over with %s that is answered, and only that one", (_name, answer) => {
    write("user.message");
    write("tool.execution_start", { toolCallId: "r1", toolName: "ask_user" });
    write("permission.requested", { ...request, requestId: "r2" });
    write("permission.requested", request);
    vi.advanceTimersByTime(300);
    become("waiting", { wait: { id: "r1", kind: "permission", answerable: false } });
    report.mockClear();
    const at = answer();
    vi.advanceTimersByTime(250);
    expect(told()).toEqual([{ state: "working", ended: "r1", seq: at }]);
  });

  it("that came without a name is over when the agent goes on", () => {
    write("user.message");
    vi.advanceTimersByTime(100);
    become("waiting", { wait: { id: "notification-1", kind: "question", answerable: false } });
    vi.advanceTimersByTime(1000);
    expect(report).not.toHaveBeenCalled();
    const at = write("assistant.turn_start");
    vi.advanceTimersByTime(250);
    expect(told()).toEqual([{ state: "working", ended: "notification-1", seq: at }]);
  });

  it("ends with the turn", () => {
    write("user.message");
    write("permission.requested", request);
    vi.advanceTimersByTime(300);
    become("waiting", { wait: { id: "r1", kind: "permission", answerable: false } });
    report.mockClear();
    const at = write("abort");
    write("permission.completed", { requestId: "r1", result: { kind: "cancelled" } });
    vi.advanceTimersByTime(1000);
    expect(told()[0]).toEqual({ state: "idle", outcome: "interrupted", seq: at });
  });
});

it("an agent that another tool's hook sends on after its Stop works again", () => {
  write("user.message");
  hook("agentStop");
  become("idle");
  vi.advanceTimersByTime(100);
  const at = write("assistant.turn_start");
  vi.advanceTimersByTime(1000);
  expect(told()[0]).toEqual({ state: "working", seq: at });
});

it("a session that rests is not looked at, and one without a record costs nothing", () => {
  become("idle");
  vi.advanceTimersByTime(20_000);
  write("assistant.turn_start");
  vi.advanceTimersByTime(5000);
  sessions = [{ session: "../../etc", state: "working", since: 0, seq: 0, background: false }];
  vi.advanceTimersByTime(5000);
  rmSync(file);
  become("working");
  vi.advanceTimersByTime(5000);
  expect(report).not.toHaveBeenCalled();
});

it("records of another COPILOT_HOME that moth was hooked into are looked at, too", () => {
  watch.stop();
  const other = join(home, "other");
  mkdirSync(join(home, ".moth"));
  const note = { harness: "copilot", created: true, folders: [], made: {} };
  writeFileSync(join(home, ".moth", "hooks.json"), JSON.stringify({ [join(other, "hooks", "moth.json")]: note }));
  file = join(other, "session-state", SESSION, "events.jsonl");
  mkdirSync(dirname(file), { recursive: true });
  watch = startWatch({ env, now: Date.now, sessions: () => sessions, report });
  write("user.message");
  vi.advanceTimersByTime(300);
  write("abort");
  vi.advanceTimersByTime(1000);
  expect(told()[0]).toMatchObject({ state: "idle", outcome: "interrupted" });
});

it("a line that is not written to its end is read when it is", () => {
  write("user.message");
  vi.advanceTimersByTime(300);
  const line = JSON.stringify({ type: "abort", data: {}, timestamp: new Date().toISOString() });
  appendFileSync(file, line.slice(0, 20));
  vi.advanceTimersByTime(1000);
  appendFileSync(file, `${line.slice(20)}\n`);
  vi.advanceTimersByTime(1000);
  expect(told()[0]).toMatchObject({ state: "idle", outcome: "interrupted" });
});
