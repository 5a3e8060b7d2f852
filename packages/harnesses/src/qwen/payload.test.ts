import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readPayload } from "./payload.ts";

type Json = Record<string, unknown>;
const fixtures = join(import.meta.dirname, "fixtures");
const lines = (file: string): string[] => readFileSync(join(fixtures, file), "utf8").trim().split("\n");
const events = new Map(
  lines("hooks.jsonl")
    .map((line) => JSON.parse(line) as { name: string; event: Json })
    .map(({ name, event }) => [name, event]),
);
const context = { env: {}, seq: Date.parse("2026-11-30T07:53:20Z"), caller: 4711 };
const from = {
  source: "qwen",
  label: "my app",
  cwd: "/home/ada/code/my app",
  seq: context.seq,
  pid: 4711,
  session: expect.any(String) as string,
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "moth-qwen-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function said(name: string, more: Json = {}): Promise<unknown> {
  const reports = await readPayload({ ...events.get(name), ...more }, context);
  return reports.length === 1 ? reports[0]?.body : reports;
}

/** What is made of the news that it waits for a prompt, when the recording is that long. */
function resting(recording: readonly string[], timestamp = "2026-11-30T07:53:30.000Z"): Promise<unknown> {
  const file = join(folder, "session.jsonl");
  writeFileSync(file, `${recording.join("\n")}\n`);
  return said("notification-idle-prompt", { transcript_path: file, timestamp });
}

describe("each event, as seen on 0.24.4", () => {
  const id = expect.stringMatching(/^[\da-z]{11}$/) as string;
  const wait = { id, kind: "permission", tool: "run_shell_command", answerable: false };
  const turn = expect.any(String) as string;
  it.each<[string, Json]>([
    ["session-start", { state: "idle" }],
    ["session-start-clear", { state: "idle" }],
    ["prompt", { state: "working" }],
    ["permission", { state: "waiting", wait }],
    ["post-tool", { state: "working", ended: id }],
    ["stop", { text: "Final reply.", outcome: "done", state: "idle", turn }],
    ["stop-subagent", { text: "A helper is at it.", outcome: "done", state: "working", turn }],
    ["stop-subagent-done", { text: "It is done.", outcome: "done", state: "idle", turn }],
    ["session-end", { state: "gone" }],
    ["session-end-clear", { state: "gone" }],
  ])("%s", async (name, expected) => {
    expect(await said(name)).toEqual({ ...from, ...expected });
  });

  it("stop-failure, whose hook is no child of Qwen Code's", async () => {
    const { pid: _pid, ...origin } = from;
    expect(await said("stop-failure")).toEqual({ ...origin, state: "idle", outcome: "failed" });
    expect(await said("stop-failure", { error: "rate_limit" })).toMatchObject({ outcome: "limit" });
  });

  it.each([
    "prompt-continued",
    "permission-subagent",
    "subagent-stop",
    "notification-auth-success",
    "notification-permission-prompt",
  ])("%s: nothing", async (name) => {
    expect(await said(name)).toEqual([]);
  });

  it("a question and a plan are waited for as such, whatever was answered", async () => {
    for (const [tool_name, kind] of [
      ["ask_user_question", "question"],
      ["exit_plan_mode", "plan"],
    ] as const) {
      const asked = (await said("permission", { tool_name })) as { wait: { id: string; kind: string } };
      expect(asked.wait.kind).toBe(kind);
      expect(await said("post-tool", { tool_name, tool_input: { answers: 1 } })).toMatchObject({ ended: asked.wait.id });
    }
  });

  it("a turn without a word is no reply", async () => {
    expect(await said("stop", { last_assistant_message: " \n" })).toEqual({ ...from, state: "idle", outcome: "done" });
  });
});

const ended = (outcome: string, at: string): Json => ({
  ...from,
  state: "idle",
  outcome,
  seq: Date.parse(`2026-11-30T07:53:${at}Z`),
});

describe("it waits for a prompt", () => {
  const recording = lines("recording.jsonl");
  it.each<[string, number, Json]>([
    ["after Esc in a dialog", 7, ended("interrupted", "01.814")],
    ["after Esc in the middle of a reply", 11, ended("interrupted", "05.059")],
    ["after Esc before any reply", 8, ended("interrupted", "04.005")],
    ["after an API error", 15, ended("failed", "07.211")],
  ])("%s: the turn ended so, at its last record", async (_name, length, expected) => {
    expect(await resting(recording.slice(0, length))).toEqual(expected);
  });

  it("after Esc in a dialog, whose refusal is recorded a moment later: it is of this turn, unless another has begun", async () => {
    const before = "2026-11-30T07:53:01.800Z";
    expect(await resting(recording.slice(0, 7), before)).toEqual(ended("interrupted", "01.814"));
    expect(await resting([...recording.slice(0, 6), recording[7]!, recording[6]!], before)).toEqual(
      ended("interrupted", "00.116"),
    );
  });

  it("after Esc in a dialog, of which nothing is recorded yet: as of when it was said, unless the dialog is a later one", async () => {
    const file = join(folder, "session.jsonl");
    writeFileSync(file, `${recording[0]}\n`);
    const event = { ...events.get("notification-idle-prompt"), transcript_path: file };
    const [said, since] = ["01.842", "00.900"].map((at) => Date.parse(`2026-11-30T07:53:${at}Z`)) as [number, number];
    const waiting = (time: number): Promise<unknown> => readPayload(event, { ...context, waitsSince: () => time });
    expect(await waiting(since)).toEqual([{ to: "state", body: ended("interrupted", "01.842") }]);
    expect(await waiting(said + 1)).toEqual([
      { to: "state", body: { ...ended("interrupted", "01.842"), seq: Date.parse("2026-11-30T07:52:59.261Z") } },
    ]);
  });

  it("after a reply: that was said by Stop, later than this report's place", async () => {
    const { seq } = (await resting(recording)) as { seq: number };
    expect(seq).toBe(Date.parse("2026-11-30T07:53:10.926Z"));
    expect(seq).toBeLessThan(context.seq);
  });

  it("and a new turn has begun since: it is not taken for the one that ended", async () => {
    expect(await resting(recording.slice(0, 12), "2026-11-30T07:53:06.000Z")).toEqual(ended("interrupted", "05.059"));
    const news = recording[15]!.replace("real_user", "notification");
    expect(await resting([...recording.slice(0, 15), news])).toEqual([]);
  });

  it("before any turn, and without a recording: nothing", async () => {
    expect(await resting([])).toEqual([]);
    expect(await said("notification-idle-prompt")).toEqual([]);
  });
});

it.each<[string, unknown]>([
  ["an event of tomorrow", { session_id: "s", hook_event_name: "Dream" }],
  ["no session", { hook_event_name: "SessionStart" }],
  ["no object", "SessionStart"],
  ["null", null],
])("%s is not reported", async (_name, payload) => {
  expect(await readPayload(payload, context)).toEqual([]);
});

it("nothing makes it throw", async () => {
  const names = fc.constantFrom("SessionStart", "Notification", "PostToolUse", "PermissionRequest", "Stop", "StopFailure");
  const payload = fc.record(
    {
      session_id: fc.string(),
      hook_event_name: names,
      background_tasks: fc.anything(),
      tool_input: fc.anything(),
      error: fc.anything(),
    },
    { requiredKeys: ["session_id", "hook_event_name"] },
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(payload, fc.anything()), async (event) => {
      expect((await readPayload(event, context)).length).toBeLessThan(2);
    }),
    { numRuns: 300 },
  );
});

/** The waits that are told of while the person is away, and whether the hook can answer them. */
const asked = async (more: Json = {}): Promise<unknown> => {
  const reports = await readPayload({ ...events.get("permission"), ...more }, { ...context, answers: true });
  return reports.map(({ body, ...rest }) => ["wait" in body && body.wait, "ask" in rest]);
};

describe("while the person is away, a permission", () => {
  const wait = { id: expect.any(String) as string, kind: "permission" };

  it("is told as the command, or with all that the tool is called with", async () => {
    expect(await asked()).toEqual([[{ ...wait, tool: "run_shell_command", text: "touch y\nmake", answerable: true }, true]]);
    const input = { command: "sleep 9", is_background: true };
    expect(await asked({ tool_input: input })).toMatchObject([
      [{ text: `run_shell_command ${JSON.stringify(input, null, 2)}`, answerable: true }, true],
    ]);
  });

  it("is left to the window where it cannot be shown whole; so are questions, plans and what a subagent asks", async () => {
    expect(await asked({ tool_input: { command: "x".repeat(5000) } })).toMatchObject([[{ answerable: false }, false]]);
    expect(await asked({ tool_name: "ask_user_question" })).toMatchObject([[{ kind: "question", answerable: false }, false]]);
    expect(await asked({ tool_name: "exit_plan_mode" })).toMatchObject([[{ kind: "plan", answerable: false }, false]]);
    expect(await asked({ agent_id: "a" })).toEqual([]);
  });
});
