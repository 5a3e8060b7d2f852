import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readPayload } from "./payload.ts";

type Json = Record<string, unknown>;
const fixtures = join(import.meta.dirname, "fixtures");
const events = new Map(
  readFileSync(join(fixtures, "hooks.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { name: string; event: Json })
    .map(({ name, event }) => [name, event]),
);
const context = { env: {}, seq: 17, caller: 4711 };
const from = {
  source: "gemini",
  label: "my app",
  cwd: "/home/ada/code/my app",
  seq: 17,
  pid: 4711,
  session: expect.any(String) as string,
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "moth-gemini-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function said(name: string, more: Json = {}): Promise<unknown> {
  const reports = await readPayload({ ...events.get(name), ...more }, context);
  return reports.length === 1 ? reports[0]?.body : reports;
}

async function waitOf(name: string): Promise<unknown> {
  const { wait, ended } = (await said(name)) as { wait?: { id: string }; ended?: string };
  return wait?.id ?? ended;
}

/** The end of a turn, with the first lines of a recording as its transcript. */
function afterAgent(recording: string, lines?: number): Promise<unknown> {
  const file = join(folder, "session.jsonl");
  const text = readFileSync(join(fixtures, recording), "utf8").split("\n");
  writeFileSync(file, text.slice(0, lines).join("\n"));
  return said("after-agent", { transcript_path: file });
}

const wait = (kind: string, tool?: string): Json => ({
  state: "waiting",
  wait: { id: expect.stringMatching(/^[\da-z]{11}$/) as string, kind, ...(tool && { tool }), answerable: false },
});
const idle = (outcome: string): Json => ({ ...from, state: "idle", outcome });
const reply = (text: string): Json => ({ ...from, text, outcome: "done", state: "idle", turn: expect.any(String) as string });

describe("each event, as seen on 0.61.0", () => {
  it.each<[string, Json]>([
    ["session-start", { state: "idle" }],
    ["session-start-clear", { state: "idle" }],
    ["before-agent", { state: "working" }],
    ["notification-exec", wait("permission", "run_shell_command")],
    ["notification-edit", wait("permission")],
    ["notification-question", wait("question", "ask_user")],
    ["notification-plan", wait("plan", "exit_plan_mode")],
    ["after-tool-agent", { state: "working", ended: expect.any(String) }],
    ["session-end", { state: "gone" }],
    ["session-end-clear", { state: "gone" }],
  ])("%s", async (name, expected) => {
    expect(await said(name)).toEqual({ ...from, ...expected });
  });

  it.each(["exec", "edit", "question", "plan"])("a dialog (%s) is over when its tool is", async (kind) => {
    expect(await waitOf(`after-tool-${kind}`)).toBe(await waitOf(`notification-${kind}`));
    expect(await waitOf("after-tool-agent")).not.toBe(await waitOf(`notification-${kind}`));
  });

  it("sends nothing of what is asked", async () => {
    for (const name of ["notification-exec", "notification-edit", "notification-question"])
      expect(JSON.stringify(await said(name))).not.toMatch(/touch|a\.txt|hello|colour/);
  });
});

describe("the end of a turn", () => {
  it("has the reply as it was recorded, not as the event has it", async () => {
    expect(events.get("after-agent")?.["prompt_response"]).not.toBe("Made them.");
    expect(await afterAgent("cancelled-dialog.jsonl", 11)).toEqual(reply("Made them."));
    expect(await afterAgent("cancelled-and-failed.jsonl")).toEqual(reply("ok again"));
  });

  it("is not heard when it was cancelled or failed, although the event has text", async () => {
    const half = { prompt_response: "Half of a" };
    expect(await afterAgent("cancelled-and-failed.jsonl", 14)).toEqual(idle("interrupted"));
    expect(await afterAgent("cancelled-and-failed.jsonl", 41)).toEqual(idle("failed"));
    expect(await said("after-agent", { ...half, transcript_path: join(folder, "gone.jsonl") })).toEqual(idle("done"));
  });

  it("never has an older turn's reply, not when the conversation is recorded again either", async () => {
    expect(await afterAgent("cancelled-dialog.jsonl", 26)).toEqual(idle("interrupted"));
    expect(await afterAgent("cancelled-dialog.jsonl", 28)).toEqual(idle("done"));
  });

  it("is a limit when the API says so", async () => {
    const file = join(folder, "session.jsonl");
    writeFileSync(
      file,
      '{"type":"error","content":"[API Error: {\\"error\\":{\\"code\\":429,\\"status\\":\\"RESOURCE_EXHAUSTED\\"}}]"}\n',
    );
    expect(await said("after-agent", { transcript_path: file })).toEqual(idle("limit"));
  });

  it("waits a moment for a record that is late", async () => {
    const file = join(folder, "session.jsonl");
    writeFileSync(file, '{"type":"user","content":[{"text":"Hi"}]}\n');
    const late = said("after-agent", { transcript_path: file });
    writeFileSync(file, '{"id":"r1","type":"gemini","content":"Hello.","model":"m"}\n', { flag: "a" });
    expect(await late).toEqual({ ...reply("Hello."), turn: "r1" });
  });
});

it.each<[string, unknown]>([
  ["an event of tomorrow", { session_id: "s", hook_event_name: "BeforeDream" }],
  ["another notification", { session_id: "s", hook_event_name: "Notification", notification_type: "Weather" }],
  ["no session", { hook_event_name: "SessionStart" }],
  ["a session that is no text", { session_id: 7, hook_event_name: "SessionStart" }],
  ["no object", "SessionStart"],
  ["null", null],
])("%s is not reported", async (_name, payload) => {
  expect(await readPayload(payload, context)).toEqual([]);
});

it("nothing makes it throw", async () => {
  const names = fc.constantFrom("SessionStart", "Notification", "AfterTool", "SessionEnd");
  const payload = fc.record(
    { session_id: fc.string(), hook_event_name: names, notification_type: fc.constant("ToolPermission"), details: fc.anything() },
    { requiredKeys: ["session_id", "hook_event_name"] },
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(payload, fc.anything()), fc.anything(), async (event, input) => {
      const whole: unknown =
        typeof event === "object" && event !== null ? { ...event, tool_input: input, tool_name: "replace" } : event;
      expect((await readPayload(whole, context)).length).toBeLessThan(2);
    }),
    { numRuns: 300 },
  );
});
