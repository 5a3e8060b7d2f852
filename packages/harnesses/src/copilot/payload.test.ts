import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Report } from "../types.ts";
import { readPayload } from "./payload.ts";

const SESSION = "5e550001-0000-4000-8000-000000000000";
const TIME = Date.parse("2026-11-30T08:00:00.000Z");
let home: string;
let env: Record<string, string>;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "moth-copilot-"));
  env = { HOME: home, USERPROFILE: home, COPILOT_CLI: "1" };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const read = (payload: unknown): Promise<Report[]> => readPayload(payload, { env, seq: 17 });
const event = (name: string, more: object = {}): object => ({
  hook_event_name: name,
  session_id: SESSION,
  timestamp: new Date(TIME).toISOString(),
  cwd: "/home/ada/my-app",
  ...more,
});
const record = (type: string, data: object, more: object = {}): object => ({
  type,
  data,
  timestamp: new Date(TIME - 50).toISOString(),
  ...more,
});
const hook = (hookType: string): object => record("hook.start", { hookType, input: { timestamp: TIME } });
function writeRecord(folder: string, ...records: object[]): void {
  const file = join(folder, "session-state", SESSION, "events.jsonl");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, records.map((one) => `${JSON.stringify(one)}\n`).join(""));
}
const said = async (payload: unknown): Promise<unknown> => {
  const reports = await read(payload);
  return reports.map(({ body: { source: _source, session: _session, label: _label, cwd: _cwd, ...rest } }) => rest);
};

describe("a reply", () => {
  const message = (content: string, more: object = {}): object =>
    record("assistant.message", { content, messageId: "m1", toolRequests: [], ...more });
  const prompt = record("user.message", { content: "A prompt." });
  const call = { toolRequests: [{ toolCallId: "c1", name: "task_complete" }] };
  it.each<[string, string | undefined, object[]]>([
    ["the last words of the turn", "Two.", [prompt, message("One."), message("Two.")]],
    ["what was said before a last call without words", "One.", [prompt, message("One."), message("", call)]],
    ["not what was said before a turn's end without a word", undefined, [prompt, message("One.", call), message("")]],
    ["not the words of the turn before", undefined, [prompt, message("Old."), prompt]],
    ["nor those before the news of a subagent", undefined, [prompt, message("Old."), record("system.notification", {})]],
    ["not a subagent's", "Own.", [prompt, message("Own."), { ...message("A helper's."), agentId: "a1" }]],
    ["white space is none", undefined, [prompt, message(" \n ")]],
    ["what is no text is none", undefined, [prompt, record("assistant.message", { content: ["One."], toolRequests: [] })]],
  ])("is %s", async (_name, text, records) => {
    writeRecord(join(home, ".copilot"), ...records, hook("agentStop"), record("user.message", {}));
    const turn = { seq: 17, outcome: "done", state: "idle" };
    expect(await said(event("Stop"))).toEqual([text === undefined ? turn : { ...turn, text, turn: "m1" }]);
  });

  it("is looked for in the folder that COPILOT_HOME names, when the event names no record", async () => {
    env["COPILOT_HOME"] = join(home, "elsewhere");
    writeRecord(join(home, "elsewhere"), prompt, message("Here."), hook("agentStop"));
    expect(await said(event("Stop"))).toMatchObject([{ text: "Here." }]);
  });
});

describe("a notification", () => {
  const asks = event("Notification", { notification_type: "permission_prompt", timestamp: TIME });
  const requested = record("permission.requested", { requestId: "r1", permissionRequest: { toolCallId: "c1" } });
  it("of a permission that was refused by itself, as in a one-shot run, is no wait", async () => {
    const completed = record("permission.completed", { requestId: "r1" });
    writeRecord(join(home, ".copilot"), requested, completed, hook("notification"));
    expect(await said(asks)).toEqual([]);
  });

  it("is dated as what is asked, so that no answer is older", async () => {
    writeRecord(join(home, ".copilot"), requested, hook("notification"));
    expect(await said(asks)).toMatchObject([{ seq: TIME - 50, wait: { id: "r1", kind: "permission" } }]);
  });

  it("is a wait without a name where there is no record", async () => {
    expect(await said(asks)).toEqual([
      { seq: 17, state: "waiting", wait: { id: `notification-${TIME}`, kind: "permission", answerable: false } },
    ]);
  });

  it("of anything else is nothing", async () => {
    for (const type of ["agent_idle", "agent_completed", "shell_completed", "constructor", undefined])
      expect(await said(event("Notification", { notification_type: type }))).toEqual([]);
  });
});

describe("an end", () => {
  it.each<[string, object]>([
    ["user_exit", { seq: 17, state: "gone" }],
    ["complete", { seq: 17, state: "gone" }],
    ["error", { seq: 17, state: "gone", outcome: "failed" }],
  ])("for the reason %s", async (reason, expected) => {
    expect(await said(event("SessionEnd", { reason }))).toEqual([expected]);
  });

  it("of a one-shot run whose subagents still run is none yet", async () => {
    const started = record("subagent.started", { executionMode: "background" }, { agentId: "a1" });
    writeRecord(join(home, ".copilot"), started);
    expect(await said(event("SessionEnd", { reason: "complete" }))).toEqual([]);
    writeRecord(join(home, ".copilot"), started, record("subagent.completed", {}, { agentId: "a1" }));
    expect(await said(event("SessionEnd", { reason: "complete" }))).toMatchObject([{ state: "gone" }]);
  });
});

it("what VS Code makes of the same hook file is not Copilot's", async () => {
  delete env["COPILOT_CLI"];
  expect(await read(event("Stop"))).toEqual([]);
});

it("a subagent's events are nothing, in either style", async () => {
  expect(await read(event("UserPromptSubmit", { agent_id: "a1" }))).toEqual([]);
  expect(await read(event("UserPromptSubmit", { agentId: "a1" }))).toEqual([]);
});

it("unknown events and fields are nothing", async () => {
  for (const payload of [null, 1, "x", [], {}, { session_id: 1 }, event("NoSuchEvent"), event("constructor")])
    expect(await read(payload)).toEqual([]);
  expect(await said(event("UserPromptSubmit", { more: { of: "it" } }))).toEqual([{ seq: 17, state: "working" }]);
});

it("never throws, and takes no prompt along", async () => {
  const names = fc.constantFrom("UserPromptSubmit", "SessionEnd", "PreToolUse", 7);
  const payloads = fc.record({
    hook_event_name: names,
    session_id: fc.constantFrom("s", 1, null),
    prompt: fc.constant("private"),
    more: fc.anything(),
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof(payloads, fc.anything()), async (payload) => {
      expect(JSON.stringify(await read(payload))).not.toContain("private");
    }),
    { numRuns: 200 },
  );
});

it("a session's id that is a path reads no file outside the folder", async () => {
  expect(await said(event("SessionEnd", { session_id: "../../x", reason: "complete" }))).toEqual([{ seq: 17, state: "gone" }]);
});
