import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Report } from "../types.ts";
import { readPayload } from "./payload.ts";

type Json = Record<string, unknown>;
const folder = join(import.meta.dirname, "fixtures");
const fixture = (name: string): Json => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as Json;
const env = { CLAUDE_PID: "4711", CLAUDE_CODE_ENTRYPOINT: "cli" };
const read = (payload: unknown, more: Record<string, string> = {}): Report[] =>
  readPayload(payload, { env: { ...env, ...more }, seq: 17 });

/** What a report says beside whose it is. */
function said(payload: unknown, more?: Record<string, string>): unknown {
  const reports = read(payload, more);
  if (reports.length !== 1) return reports.length;
  const { source: _source, session: _session, label: _label, cwd: _cwd, seq: _seq, pid: _pid, ...rest } = reports[0]!.body;
  return rest;
}

function stateAfter(payload: Json): unknown {
  return (said(payload) as { state?: string }).state;
}

/** The wait that a fixture opens or closes. */
function idOf(name: string): unknown {
  const [report] = read(fixture(name));
  if (report?.to !== "state") return undefined;
  return report.body.wait?.id ?? report.body.ended;
}

describe("each event, as seen on 2.1.332", () => {
  const turn = expect.stringMatching(/^[\da-f-]{36}$/) as string;
  const id = expect.stringMatching(/^[\da-z]{11}$/) as string;
  const wait = (kind: string, tool: string): Json => ({ state: "waiting", wait: { id, kind, tool, answerable: false } });
  const done = { outcome: "done", state: "idle", turn };
  it.each<[string, unknown]>([
    ["session-start", { state: "idle" }],
    ["session-start-clear", { state: "idle" }],
    ["session-start-compact", 0],
    ["user-prompt-submit", { state: "working" }],
    ["user-prompt-notification", { state: "working" }],
    ["stop", { text: "The tests pass. **Two files** changed.", ...done }],
    ["stop-subagent", { text: "A helper looks into it.", ...done, state: "working" }],
    ["stop-shell", { text: "The server runs.", ...done }],
    ["stop-failure", { state: "idle", outcome: "failed" }],
    ["stop-failure-limit", { state: "idle", outcome: "limit" }],
    ["subagent-stop", 0],
    ["permission-bash", wait("permission", "Bash")],
    ["permission-write", wait("permission", "Write")],
    ["permission-subagent", wait("permission", "Bash")],
    ["permission-question", wait("question", "AskUserQuestion")],
    ["permission-plan", wait("plan", "ExitPlanMode")],
    ["post-tool-bash", { state: "working", ended: id }],
    ["session-end", { state: "gone" }],
    ["session-end-clear", { state: "gone" }],
  ])("%s", (name, expected) => {
    expect(said(fixture(name))).toEqual(expected);
  });

  it("says whose it is: session, folder, order and process", () => {
    const [report] = read(fixture("stop"));
    expect(report).toMatchObject({
      to: "agent",
      body: {
        source: "claude-code",
        session: fixture("stop")["session_id"],
        label: "my-app",
        cwd: "/tmp/fx/my-app",
        seq: 17,
        pid: 4711,
      },
    });
    expect(read(fixture("stop"), { CLAUDE_PID: "x" })[0]?.body).not.toHaveProperty("pid");
  });

  it("goes to the turn's door with a reply, to the state's without", () => {
    expect(read(fixture("stop"))[0]?.to).toBe("agent");
    const empty = { ...fixture("stop"), last_assistant_message: undefined };
    expect(read(empty)[0]?.to).toBe("state");
    expect(said(empty)).toEqual({ state: "idle", outcome: "done" });
  });
});

describe("waits", () => {
  it.each(["bash", "write", "edit", "question", "plan", "subagent"])(
    "the PostToolUse of a %s names the wait that it closes",
    (tool) => {
      expect(idOf(`post-tool-${tool}`)).toBe(idOf(`permission-${tool}`));
    },
  );

  it("the same call of another agent, or another call, is another wait", () => {
    const ids = ["bash", "write", "edit", "question", "plan", "subagent"].map((tool) => idOf(`permission-${tool}`));
    expect(new Set(ids).size).toBe(ids.length);
    const other = { ...fixture("permission-bash"), agent_id: "a1" };
    expect(said(other)).not.toEqual(said(fixture("permission-bash")));
  });

  it("there is none where nobody can answer", () => {
    expect(read(fixture("permission-bash"), { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" })).toEqual([]);
  });
});

describe("the person's words and files", () => {
  it.each([
    "user-prompt-submit",
    "permission-bash",
    "permission-write",
    "permission-question",
    "permission-plan",
    "post-tool-edit",
  ])("%s gives none of them away", (name) => {
    const payload = fixture(name);
    const report = JSON.stringify(read(payload));
    const secrets = [payload["prompt"], payload["transcript_path"], JSON.stringify(payload["tool_input"])];
    for (const secret of secrets.filter((one) => typeof one === "string")) expect(report).not.toContain(secret);
    expect(report).not.toMatch(/touch|hello|colour|Plan\b/);
  });
});

describe("what moth does not listen to", () => {
  it.each<[string, Json]>([
    ["Cursor's sessions", { ...fixture("stop"), cursor_version: "2.0" }],
    ["a subagent's turn", { ...fixture("stop"), agent_id: "a1" }],
    ["a helper's failure during a compaction", { ...fixture("stop-failure"), agent_id: "a1" }],
    ["an event without a session", { ...fixture("stop"), session_id: undefined }],
    ["an event of tomorrow", { ...fixture("stop"), hook_event_name: "Hiccup" }],
  ])("%s", (_name, payload) => {
    expect(read(payload)).toEqual([]);
  });

  it("tasks that may run for days do not keep a session working", () => {
    const tasks = (...types: [string, string][]): Json => ({
      ...fixture("stop"),
      background_tasks: types.map(([type, status]) => ({ type, status })),
    });
    expect(stateAfter(tasks(["shell", "running"], ["monitor", "running"], ["dream", "running"], ["teammate", "running"]))).toBe(
      "idle",
    );
    expect(stateAfter(tasks(["shell", "running"], ["workflow", "pending"]))).toBe("working");
    expect(stateAfter(tasks(["subagent", "completed"]))).toBe("idle");
    expect(stateAfter({ ...fixture("stop"), background_tasks: [null, 3, "x", { type: {} }] })).toBe("idle");
  });
});

it("nothing makes it throw, and what it cannot read it does not report", () => {
  const names = ["stop", "permission-bash", "post-tool-bash", "user-prompt-submit", "session-end"].map(fixture);
  const noise = fc.jsonValue();
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.dictionary(fc.constantFrom(...Object.keys(names[1]!)), noise),
      (payload, changes) => {
        expect(read({ ...payload, ...changes }).length).toBeLessThanOrEqual(1);
      },
    ),
    { seed: 20261130, numRuns: 2000 },
  );
  fc.assert(
    fc.property(noise, (payload) => {
      expect(read(payload)).toEqual([]);
    }),
    { seed: 20261130, numRuns: 500 },
  );
});
