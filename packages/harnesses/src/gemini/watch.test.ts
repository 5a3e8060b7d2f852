import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { WatchedSession, WatchHost } from "../types.ts";
import { startWatch } from "./watch.ts";

const START = Date.parse("2026-11-30T08:00:00.000Z");
const ID = "01234567-1111-4222-8333-444455556666";
let home: string;
let sessions: WatchedSession[];
let report: ReturnType<typeof vi.fn<WatchHost["report"]>>;
let watch: { stop(): void };

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  home = mkdtempSync(join(tmpdir(), "moth-gemini-"));
  report = vi.fn<WatchHost["report"]>();
  sessions = [session("working")];
  watch = startWatch({ env: { HOME: home, USERPROFILE: home }, now: Date.now, sessions: () => sessions, report });
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
  rmSync(home, { recursive: true });
});

function session(state: WatchedSession["state"], more: Partial<WatchedSession> = {}): WatchedSession {
  return { session: ID, state, since: START, seq: START, background: false, pid: 42, ...more };
}

function record(type: string, content: unknown, name = "session-2026-11-30T08-00-01234567.jsonl"): void {
  const file = join(home, ".gemini/tmp/my-app/chats", name);
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify({ timestamp: new Date().toISOString(), type, content })}\n`);
}

it("tells at once of a dialog that was cancelled", () => {
  sessions = [session("waiting", { wait: { id: "w", kind: "permission", answerable: false } })];
  record("user", [{ text: "Hi" }]);
  vi.advanceTimersByTime(3000);
  expect(report).not.toHaveBeenCalled();
  const at = Date.now();
  record("info", "Request cancelled.");
  vi.advanceTimersByTime(300);
  expect(report.mock.calls[0]).toEqual([{ session: ID, pid: 42, state: "idle", outcome: "interrupted", seq: at }]);
});

it("leaves a turn's end to its hook, unless that does not come", () => {
  record("user", [{ text: "Hi" }]);
  vi.advanceTimersByTime(10);
  record("error", "[API Error: no]");
  vi.advanceTimersByTime(700);
  expect(report).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(report.mock.calls[0]?.[0]).toMatchObject({ state: "idle", outcome: "failed" });
});

it("tells of a turn whose hook ran while moth was away", () => {
  sessions = [session("working", { restored: START })];
  record("user", [{ text: "Hi" }]);
  vi.advanceTimersByTime(3000);
  expect(report).not.toHaveBeenCalled();
  const at = Date.now();
  appendFileSync(
    join(home, ".gemini/tmp/my-app/chats/session-2026-11-30T08-00-01234567.jsonl"),
    `${JSON.stringify({ id: "r1", timestamp: new Date().toISOString(), type: "gemini", content: "Done.", model: "m" })}\n`,
  );
  vi.advanceTimersByTime(700);
  expect(report).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(report.mock.calls[0]).toEqual([{ session: ID, pid: 42, state: "idle", outcome: "done", seq: at }]);
});

it("takes nothing of an earlier turn for this one's end", () => {
  vi.setSystemTime(START - 5000);
  record("info", "Request cancelled.");
  vi.setSystemTime(START);
  vi.advanceTimersByTime(5000);
  record("user", [{ text: "Once more" }]);
  vi.advanceTimersByTime(5000);
  expect(report).not.toHaveBeenCalled();
});

it("finds the recording that a session goes on in", () => {
  record("user", [{ text: "Hi" }]);
  utimesSync(join(home, ".gemini/tmp/my-app/chats/session-2026-11-30T08-00-01234567.jsonl"), 1, 1);
  vi.advanceTimersByTime(3000);
  record("info", "Request cancelled.", "session-1796026881256-01234567.jsonl");
  vi.advanceTimersByTime(4000);
  expect(report.mock.calls[0]?.[0]).toMatchObject({ state: "idle", outcome: "interrupted" });
});

it("a session is gone when its process has another one", () => {
  sessions = [
    session("idle"),
    session("idle", { session: "other", seq: START + 7 }),
    session("idle", { session: "elsewhere", pid: 43 }),
  ];
  vi.advanceTimersByTime(300);
  expect(report.mock.calls).toEqual([[{ session: ID, state: "gone", seq: START + 7 }]]);
});

it.each<[string, () => void]>([
  ["no recording", () => {}],
  ["a broken one", () => writeFileSync(join(home, ".gemini"), "a file where a folder belongs")],
  ["another session's", () => record("info", "Request cancelled.", "session-2026-11-30T08-00-76543210.jsonl")],
])("%s tells nothing", (_name, make) => {
  make();
  vi.advanceTimersByTime(5000);
  expect(report).not.toHaveBeenCalled();
});

it("survives a host that throws, and stops when told", () => {
  sessions = undefined as unknown as WatchedSession[];
  expect(() => vi.advanceTimersByTime(1000)).not.toThrow();
  watch.stop();
  expect(vi.getTimerCount()).toBe(0);
});
