import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { WatchedSession } from "../types.ts";
import { startWatch } from "./watch.ts";

const SESSION = "019a7b00-1111-7aaa-8bbb-000000000001";
const lines = readFileSync(join(import.meta.dirname, "fixtures", "rollout.jsonl"), "utf8").split("\n");
const at = (second: number): number => Date.parse(`2025-11-12T21:04:${second}Z`);
const line = (part: string): string => `${lines.find((one) => one.includes(part)) ?? ""}\n`;

let home: string;
let record: string;
let sessions: WatchedSession[];
let heard: object[];
let watch: { stop(): void };

beforeEach(() => {
  vi.useFakeTimers();
  home = mkdtempSync(join(tmpdir(), "moth codex "));
  const made = new Date(Number.parseInt(SESSION.replaceAll("-", "").slice(0, 12), 16));
  const day = [made.getFullYear(), made.getMonth() + 1, made.getDate()].map((part) => String(part).padStart(2, "0"));
  record = join(home, ".codex", "sessions", ...day, `rollout-x-${SESSION}.jsonl`);
  mkdirSync(dirname(record), { recursive: true });
  heard = [];
  watch = startWatch({
    env: { HOME: home, USERPROFILE: home },
    now: () => Date.now(),
    sessions: () => sessions,
    report: (report) => heard.push(report),
  });
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
  rmSync(home, { recursive: true });
});

const session = (more: Partial<WatchedSession>): WatchedSession => ({
  session: SESSION,
  state: "working",
  since: at(30),
  seq: at(30),
  background: false,
  ...more,
});

describe("the watch", () => {
  it("tells of a turn that failed within half a second, once", () => {
    sessions = [session({})];
    writeFileSync(record, line('"task_started"'));
    vi.advanceTimersByTime(1000);
    expect(heard).toEqual([]);
    appendFileSync(record, line('"codex_error_info":"other"'));
    vi.advanceTimersByTime(500);
    expect(heard[0]).toEqual({ session: SESSION, seq: at(31), state: "idle", outcome: "failed" });
    sessions = [session({ state: "idle", seq: at(31) })];
    const count = heard.length;
    vi.advanceTimersByTime(3000);
    expect(heard).toHaveLength(count);
  });

  it("waits for a record that is not there yet", () => {
    sessions = [session({ seq: at(20) })];
    vi.advanceTimersByTime(3000);
    writeFileSync(record, `${line('"task_started"')}${line('"turn_aborted"')}`);
    vi.advanceTimersByTime(3000);
    expect(heard[0]).toEqual({ session: SESSION, seq: at(21), state: "idle", outcome: "interrupted" });
  });

  it("lets a hook that is under way say the same first", () => {
    sessions = [session({ seq: at(5) })];
    writeFileSync(record, `${line('"task_started"')}${line('"task_complete"')}`);
    vi.advanceTimersByTime(1400);
    expect(heard).toEqual([]);
    sessions = [session({ state: "idle", seq: at(10) })];
    vi.advanceTimersByTime(3000);
    expect(heard).toEqual([]);
  });

  it("tells that a window has left one session for another", () => {
    const old = session({ session: "old", state: "idle", pid: 7, seq: 1 });
    sessions = [old, session({ session: "new", pid: 7, seq: 2 })];
    vi.advanceTimersByTime(250);
    expect(heard).toEqual([{ session: "old", seq: 1, state: "gone" }]);
  });

  it("looks at nothing while every session rests", () => {
    sessions = [session({ state: "idle" })];
    writeFileSync(record, `${line('"task_started"')}${line('"turn_aborted"')}`);
    vi.advanceTimersByTime(3000);
    expect(heard).toEqual([]);
  });
});
