import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { WatchedSession, WatchHost } from "../types.ts";
import { startWatch } from "./watch.ts";

let home: string;
let sessions: WatchedSession[];
let report: ReturnType<typeof vi.fn<WatchHost["report"]>>;
let watch: { stop(): void };

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  home = mkdtempSync(join(tmpdir(), "moth-watch-"));
  report = vi.fn<WatchHost["report"]>();
  sessions = [{ session: "s", state: "working", since: 900_000, seq: 900_000, background: false, pid: 42 }];
  watch = startWatch({ env: { HOME: home, USERPROFILE: home }, now: Date.now, sessions: () => sessions, report });
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
  rmSync(home, { recursive: true });
});

function write(status: unknown, since: unknown = Date.now(), file = ".claude/sessions/42.json", more: object = {}): void {
  const path = join(home, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ pid: 42, sessionId: "s", cwd: "/secret", status, statusUpdatedAt: since, ...more }));
}

it("tells of Esc once the note has stood for a moment", () => {
  write("busy");
  vi.advanceTimersByTime(3000);
  expect(report).not.toHaveBeenCalled();
  const at = Date.now();
  write("idle");
  vi.advanceTimersByTime(500);
  expect(report).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1500);
  expect(report.mock.calls[0]).toEqual([{ session: "s", pid: 42, state: "idle", outcome: "interrupted", seq: at }]);
});

it("does not take the moment between two turns for an end", () => {
  write("idle");
  vi.advanceTimersByTime(300);
  write("busy");
  vi.advanceTimersByTime(3000);
  expect(report).not.toHaveBeenCalled();
});

it("looks for a queued prompt after a reply, and then rests", () => {
  sessions = [{ session: "s", state: "idle", since: Date.now(), seq: Date.now(), background: false, pid: 42 }];
  vi.advanceTimersByTime(1000);
  write("busy");
  vi.advanceTimersByTime(1000);
  expect(report.mock.calls[0]?.[0]).toMatchObject({ state: "working" });
  report.mockClear();
  vi.advanceTimersByTime(20_000);
  write("busy");
  report.mockClear();
  vi.advanceTimersByTime(20_000);
  expect(report).not.toHaveBeenCalled();
});

it("looks for what has begun while moth was away, and then rests", () => {
  const old = Date.now() - 3_600_000;
  sessions = [{ session: "s", state: "idle", since: old, seq: old, background: false, pid: 42, restored: Date.now() }];
  write("busy");
  vi.advanceTimersByTime(1000);
  expect(report.mock.calls[0]?.[0]).toMatchObject({ state: "working" });
  vi.advanceTimersByTime(10_000);
  report.mockClear();
  write("busy");
  vi.advanceTimersByTime(10_000);
  expect(report).not.toHaveBeenCalled();
});

it("does not say how a turn ended that it heard of from the registry alone", () => {
  sessions = [{ session: "s", state: "idle", since: Date.now(), seq: Date.now(), background: false, pid: 42 }];
  report.mockImplementation(({ state, seq }) => {
    sessions = [{ session: "s", state, since: Date.now(), seq: seq ?? 0, background: false, pid: 42 }];
  });
  vi.advanceTimersByTime(100);
  write("busy");
  vi.advanceTimersByTime(1000);
  write("idle");
  vi.advanceTimersByTime(2000);
  expect(report.mock.calls.map(([said]) => [said.state, said.outcome])).toEqual([
    ["working", undefined],
    ["idle", undefined],
  ]);
});

it("finds the registry of another profile that moth was hooked into", () => {
  mkdirSync(join(home, ".moth"));
  const settings = join(home, "work profile/settings.json");
  const note = { harness: "claude-code", created: false, folders: [], made: {} };
  writeFileSync(join(home, ".moth/hooks.json"), JSON.stringify({ [settings]: note }));
  vi.advanceTimersByTime(11_000);
  write("idle", Date.now(), "work profile/sessions/42.json");
  vi.advanceTimersByTime(2000);
  expect(report).toHaveBeenCalled();
});

it.each<[string, () => void]>([
  ["a status of tomorrow", () => write("dreaming")],
  ["a note of another process", () => write("idle", Date.now(), undefined, { pid: 43 })],
  ["wrong types", () => write({ status: "idle" }, "now")],
  ["half a note", () => writeFileSync(join(home, ".claude/sessions/42.json"), '{"pid":42,"status":"idle')],
  ["a huge file", () => write("idle", Date.now(), undefined, { more: "x".repeat(100_000) })],
  [
    "a link to somewhere else",
    () => {
      write("idle", Date.now(), "elsewhere.json");
      rmSync(join(home, ".claude/sessions/42.json"));
      symlinkSync(join(home, "elsewhere.json"), join(home, ".claude/sessions/42.json"));
    },
  ],
])("takes %s for nothing", (_name, make) => {
  write("busy");
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
