import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StateReport, Wait } from "@moth-companion/core/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type FakeDaemon, type Sent, startFakeDaemon } from "../../test/fake-daemon.ts";
import type { Door, DoorHost, WatchedSession } from "../types.ts";
import { startDoor } from "./door.ts";

const ID = "019a7b00-1111-7aaa-8bbb-000000000001";
const TURN = "019a7b00-3333-7aaa-8bbb-000000000004";
const plan: Wait = { id: `plan-${TURN}`, kind: "plan", answerable: false };
const told: Wait = { ...plan, text: "# The plan", answerable: true };

describe.skipIf(process.platform === "win32")("a session in the daemon", () => {
  let home: string;
  let daemon: FakeDaemon;
  let door: Door;
  let sessions: WatchedSession[];
  let reports: Omit<StateReport, "source">[];
  let isOn: boolean;
  /** What the daemon answers to a method instead. */
  let answers: Record<string, unknown>;
  let record: string;

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), "moth-o-"));
    sessions = [{ session: ID, state: "idle", since: 0, seq: 1, background: false }];
    reports = [];
    isOn = true;
    const made = new Date(Number.parseInt("019a7b001111", 16));
    const day = [made.getFullYear(), made.getMonth() + 1, made.getDate()].map((part) => String(part).padStart(2, "0"));
    const folder = join(home, "sessions", ...day);
    mkdirSync(folder, { recursive: true });
    record = join(folder, `rollout-2025-11-12T21-00-00-${ID}.jsonl`);
    answers = {};
    const known: Record<string, unknown> = {
      "thread/loaded/list": { data: ["other", ID], nextCursor: null },
      "thread/resume": {
        thread: { status: { type: "idle" }, path: record },
        model: "m",
        cwd: "/w",
        collaborationMode: { mode: "plan", settings: {} },
      },
      "thread/read": { thread: { status: { type: "idle" } } },
      "thread/queue/list": { data: [] },
      "thread/queue/add": { queuedSubmission: { id: "new" } },
      "config/read": { config: { model_reasoning_effort: "low" } },
    };
    daemon = await startFakeDaemon(home, ({ method = "" }) => (method in answers ? answers[method] : (known[method] ?? {})));
    door = startDoor(host());
  });
  afterEach(async () => {
    door.stop();
    await daemon.close();
    rmSync(home, { recursive: true });
  });

  const host = (): DoorHost => ({
    env: { CODEX_HOME: home, HOME: home, MOTH_HOME: join(home, "moth") },
    now: () => Date.now(),
    sessions: () => sessions,
    report: (report) => reports.push(report),
    answersOn: () => isOn,
  });
  const methods = (): (string | undefined)[] => daemon.sent.map(({ method }) => method);
  const params = (method: string): Sent["params"] => daemon.sent.find((one) => one.method === method)?.params;

  it("takes messages and an end to its turn; one with a process of its own does not, nor one that nobody knows", () => {
    expect(door.takes?.(ID)).toEqual(["prompt", "abort"]);
    expect(door.takes?.("unknown")).toEqual([]);
    sessions = sessions.map((one) => ({ ...one, pid: 7 }));
    expect(door.takes?.(ID)).toEqual([]);
  });

  it("takes nothing where no daemon listens, and nobody is connected to as long as nothing is sent", async () => {
    expect(daemon.count()).toBe(0);
    await daemon.close();
    rmSync(join(home, "app-server-control"), { recursive: true });
    expect(door.takes?.(ID)).toEqual([]);
    expect(await door.order?.(ID, { do: "abort" })).toMatchObject({ taken: false });
  });

  it("gets a message into its queue, as words, and subscribes nobody to it", async () => {
    const text = "/compact $(touch x)\n!ls";
    expect(await door.order?.(ID, { do: "prompt", text })).toEqual({ taken: true });
    expect(params("thread/queue/add")).toMatchObject({ threadId: ID, input: [{ type: "text", text, text_elements: [] }] });
    expect(methods()).not.toContain("thread/resume");
    await vi.waitFor(() => expect(daemon.count()).toBe(0));
  });

  it("works on what waits longest when it is idle: an interrupted turn had stopped the queue", async () => {
    await door.order?.(ID, { do: "prompt", text: "first" });
    expect(params("thread/queue/start")).toEqual({ threadId: ID, queuedSubmissionId: "new" });
    daemon.sent.length = 0;
    answers["thread/queue/list"] = { data: [{ id: "older" }, { id: "old" }] };
    answers["thread/queue/start"] = new Error("it has begun by itself");
    expect(await door.order?.(ID, { do: "prompt", text: "third" })).toEqual({ taken: true });
    expect(params("thread/queue/start")).toEqual({ threadId: ID, queuedSubmissionId: "older" });
  });

  it("that works goes on undisturbed", async () => {
    answers["thread/read"] = { thread: { status: { type: "active", activeFlags: [] } } };
    expect(await door.order?.(ID, { do: "prompt", text: "next" })).toEqual({ taken: true });
    expect(methods().at(-1)).toBe("thread/queue/add");
  });

  it("has the turn interrupted that runs, goes on with what waits, and what Codex says against it is told", async () => {
    expect(await door.order?.(ID, { do: "abort" })).toEqual({ taken: true });
    expect(params("turn/interrupt")).toEqual({ threadId: ID, turnId: "" });
    expect(methods()).not.toContain("thread/queue/start");
    answers["thread/queue/list"] = { data: [{ id: "old" }] };
    expect(await door.order?.(ID, { do: "abort" })).toEqual({ taken: true });
    expect(params("thread/queue/start")).toEqual({ threadId: ID, queuedSubmissionId: "old" });
    answers["turn/interrupt"] = new Error("no active turn");
    expect(await door.order?.(ID, { do: "abort" })).toEqual({
      taken: false,
      problem: "Codex did not take it: no active turn",
    });
  });

  it("that is not loaded there is asked for nothing", async () => {
    answers["thread/loaded/list"] = { data: ["other"] };
    expect(await door.order?.(ID, { do: "prompt", text: "hi" })).toMatchObject({ taken: false });
    expect(methods()).toEqual(["thread/loaded/list"]);
  });

  describe("with a plan", () => {
    beforeEach(() => {
      const item = { type: "Plan", id: `${TURN}-plan`, text: "# The plan" };
      const lines = [
        { type: "turn_context", payload: { collaboration_mode: { mode: "default", settings: { reasoning_effort: "high" } } } },
        { type: "turn_context", payload: { collaboration_mode: { mode: "plan", settings: { reasoning_effort: "medium" } } } },
        { type: "event_msg", payload: { type: "item_completed", thread_id: ID, turn_id: TURN, item } },
      ];
      const at = { timestamp: "2025-11-12T21:04:41.000Z" };
      writeFileSync(record, lines.map((line) => `${JSON.stringify({ ...at, ...line })}\n`).join(""));
      sessions = sessions.map((one) => ({ ...one, state: "waiting" as const, wait: plan }));
    });

    it("tells what it says, once", async () => {
      await vi.waitFor(() => expect(reports).toEqual([{ session: ID, seq: 1, state: "waiting", wait: told }]));
      // Looked at again with the next one.
      const other = ID.replace(/1$/, "2");
      copyFileSync(record, record.replace(ID, other));
      sessions = [...sessions, ...sessions.map((one) => ({ ...one, session: other }))];
      await vi.waitFor(() => expect(reports.map(({ session }) => session)).toEqual([ID, other]));
      expect(daemon.sent).toEqual([]);
    });

    it("tells nothing while answers are off", async () => {
      isOn = false;
      const looks = vi.fn<() => WatchedSession[]>(() => sessions);
      door.stop();
      door = startDoor({ ...host(), sessions: looks });
      await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(2));
      expect(reports).toEqual([]);
    });

    it("goes on outside plan mode with the effort it had before, and with no other right", async () => {
      expect(await door.answer(ID, told, { choice: "approve" })).toEqual({ taken: true });
      expect(params("turn/start")).toEqual({
        threadId: ID,
        input: [{ type: "text", text: "Implement the plan.", text_elements: [] }],
        collaborationMode: {
          mode: "default",
          settings: { model: "m", reasoning_effort: "high", developer_instructions: null },
        },
      });
      expect(methods().at(-1)).toBe("thread/unsubscribe");
      writeFileSync(record, "");
      await door.answer(ID, told, { choice: "approve" });
      const [, second] = daemon.sent.filter(({ method }) => method === "turn/start");
      expect(second?.params).toMatchObject({ collaborationMode: { settings: { reasoning_effort: "low" } } });
    });

    it("is put back with words, in the mode it is in", async () => {
      expect(await door.answer(ID, told, { choice: "reject", text: "add a test" })).toEqual({ taken: true });
      expect(params("turn/start")).toEqual({
        threadId: ID,
        input: [{ type: "text", text: "add a test", text_elements: [] }],
      });
    });

    it.each([{ choice: "reject" }, { choice: "approve", text: "but first" }, { text: "well" }, { choice: "allow" }])(
      "takes no %j, and Codex is not asked",
      async (answer) => {
        expect(await door.answer(ID, told, answer)).toEqual({
          taken: false,
          problem: expect.stringMatching(/^Codex takes /) as string,
        });
        expect(daemon.sent).toEqual([]);
      },
    );

    it.each([
      { thread: { status: { type: "active", activeFlags: [] } }, collaborationMode: { mode: "plan" } },
      { thread: { status: { type: "idle" } }, collaborationMode: { mode: "default" } },
      {},
    ])("that the window has answered meanwhile is not answered again: %j", async (resumed) => {
      answers["thread/resume"] = resumed;
      expect(await door.answer(ID, told, { choice: "approve" })).toEqual({
        taken: false,
        problem: "Codex no longer asks this.",
      });
      expect(methods()).toEqual(["thread/loaded/list", "thread/resume", "thread/unsubscribe"]);
    });
  });
});
