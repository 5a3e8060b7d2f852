import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findRollout, followRollout, planIn } from "./rollout.ts";
import { advance, newTurn } from "./turn.ts";

const FIXTURE = join(import.meta.dirname, "fixtures", "rollout.jsonl");
const SESSION = "019a7b00-1111-7aaa-8bbb-000000000001";
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "moth codex "));
  const made = new Date(Number.parseInt(SESSION.replaceAll("-", "").slice(0, 12), 16));
  const day = [made.getFullYear(), made.getMonth() + 1, made.getDate()].map((part) => String(part).padStart(2, "0"));
  file = join(folder, "sessions", ...day, `rollout-2025-11-12T21-04-05-${SESSION}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a session's record", () => {
  it("is found by the session's id", () => {
    expect(findRollout(folder, SESSION)).toBeUndefined();
    cpSync(FIXTURE, file);
    expect(findRollout(folder, SESSION)).toBe(file);
    expect(findRollout(folder, "019a7b00-1111-7aaa-8bbb-000000000009")).toBeUndefined();
  });

  it.each(["", "x", "../../etc", "019a7b00-1111-4aaa-8bbb-000000000001", `${SESSION}.jsonl`])(
    "is not looked for by %j",
    (session) => {
      expect(findRollout(folder, session)).toBeUndefined();
    },
  );

  it("tells how each turn ended, and what was called in it", () => {
    cpSync(FIXTURE, file);
    const turn = newTurn();
    const course = followRollout(file)().map((line) => {
      advance(turn, line);
      return line.type.endsWith("call") || line.type.endsWith("output")
        ? `${line.type} ${turn.open.size}`
        : `${line.type} ${turn.outcome}`;
    });
    expect(course).toEqual([
      "task_started undefined",
      "function_call 1",
      "function_call_output 0",
      "task_complete done",
      "task_started undefined",
      "turn_aborted interrupted",
      "task_started undefined",
      "task_complete failed",
      "task_started undefined",
      "task_complete done",
      "task_started undefined",
      "task_complete limit",
    ]);
  });

  it("is followed: only what is new is read, and a line only when it is whole", () => {
    const [first = "", second = "", third = ""] = readFileSync(FIXTURE, "utf8")
      .split("\n")
      .filter((line) => /task_|aborted/.test(line));
    writeFileSync(file, `${first}\n${second.slice(0, 60)}`);
    const look = followRollout(file);
    const types = (): string[] => look().map(({ type }) => type);
    expect(types()).toEqual(["task_started"]);
    expect(types()).toEqual([]);
    appendFileSync(file, `${second.slice(60)}\nno JSON "type":"task_started"\n${third}`);
    expect(types()).toEqual(["task_complete"]);
    appendFileSync(file, "\n");
    expect(types()).toEqual(["task_started"]);
  });

  it("is read from its end when it is long, also when it grows by much at once", () => {
    const [started = "", complete = ""] = readFileSync(FIXTURE, "utf8")
      .split("\n")
      .filter((line) => /task_/.test(line));
    const filler = `${JSON.stringify({ type: "event_msg", payload: { type: "noise", text: "x".repeat(1000) } })}\n`.repeat(600);
    writeFileSync(file, `${complete}\n${filler}${started}\n`);
    const look = followRollout(file);
    expect(look().map(({ type }) => type)).toEqual(["task_started"]);
    appendFileSync(file, `${started}\n${filler}${complete}\n`);
    expect(look().map(({ type }) => type)).toEqual(["task_complete"]);
  });

  it("that is missing, or a folder, tells nothing", () => {
    expect(followRollout(file)()).toEqual([]);
    mkdirSync(file);
    expect(followRollout(file)()).toEqual([]);
    expect(planIn(file, "t")).toBeUndefined();
  });

  it("tells of a plan in the very turn that proposed it", () => {
    cpSync(FIXTURE, file);
    expect(planIn(file, "019a7b00-3333-7aaa-8bbb-000000000004")).toBe("# The plan");
    expect(planIn(file, "019a7b00-3333-7aaa-8bbb-000000000003")).toBeUndefined();
    expect(planIn("/etc/passwd", "root")).toBeUndefined();
  });
});
