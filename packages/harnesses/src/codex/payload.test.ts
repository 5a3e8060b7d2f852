import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPayload, readWaitId, waitId } from "./payload.ts";

const SESSION = "019a7b00-1111-7aaa-8bbb-000000000001";
const HELPER = "019a7b00-2222-7aaa-8bbb-000000000002";
const from = { source: "codex", session: SESSION, label: "my-app", cwd: "/home/ada/my-app", seq: 7 };

const fixture = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(import.meta.dirname, "fixtures", `${name}.json`), "utf8")) as Record<string, unknown>;
const read = (payload: unknown): unknown => readPayload(payload, { seq: 7 });
const state = (body: object): object[] => [{ to: "state", body: { ...from, ...body } }];

describe("what an event becomes", () => {
  it.each([
    ["session-start", { state: "working" }],
    ["user-prompt-submit", { state: "working" }],
    ["stop-empty", { state: "idle", outcome: "done" }],
    ["interrupt", { state: "idle", outcome: "interrupted" }],
    ["session-end", { state: "gone" }],
  ])("%s", (name, body) => {
    expect(read(fixture(name))).toEqual(state(body));
  });

  it("the end of a turn is its reply, once, with the turn's id", () => {
    const turn = "019a7b00-3333-7aaa-8bbb-000000000003";
    const body = { ...from, text: "The login works again.", outcome: "done", state: "idle", turn };
    expect(read(fixture("stop"))).toEqual([{ to: "agent", body }]);
  });

  it.each(["session-start-compact", "pre-tool-bash", "subagent-start", "subagent-stop", "user-prompt-subagent"])(
    "%s tells nothing",
    (name) => {
      expect(read(fixture(name))).toEqual([]);
    },
  );

  it.each(["Stop", "Interrupt", "SessionEnd", "SessionStart", "UserPromptSubmit"])("a subagent's %s tells nothing", (event) => {
    expect(read({ ...fixture("stop"), hook_event_name: event, agent_id: HELPER })).toEqual([]);
  });
});

const wait = (name: string): { id: string } => (read(fixture(name)) as { body: { wait: { id: string } } }[])[0]!.body.wait;

describe("a wait", () => {
  it("for a permission names the tool, and nothing of what is asked", () => {
    expect(read(fixture("permission"))).toEqual(
      state({
        state: "waiting",
        wait: { id: expect.stringMatching(/^\w{11}$/) as string, kind: "permission", tool: "Bash", answerable: false },
      }),
    );
    expect(JSON.stringify(read(fixture("permission")))).not.toMatch(/publish|registry/);
  });

  it("for an answer is named by its call", () => {
    expect(wait("question")).toEqual({ id: "call_a1", kind: "question", tool: "request_user_input", answerable: false });
  });

  it("of a subagent is its session's, and tells whose it is", () => {
    expect(wait("permission-subagent").id).toBe(`${HELPER}.${wait("permission").id}`);
    expect(readWaitId(wait("permission-subagent").id)).toEqual({ agent: HELPER, call: wait("permission").id });
    expect(readWaitId(waitId(undefined, "call_a1"))).toEqual({ call: "call_a1" });
  });

  it("for another command is another one", () => {
    const other = { ...fixture("permission"), tool_input: { command: "npm publish", description: "Again." } };
    expect(read(other)).not.toEqual(read(fixture("permission")));
  });
});

describe("what is foreign", () => {
  it.each([
    undefined,
    null,
    7,
    "x",
    [],
    {},
    { session_id: 7 },
    { session_id: "s" },
    { session_id: "s", hook_event_name: "PostCompact" },
  ])("tells nothing: %j", (payload) => {
    expect(read(payload)).toEqual([]);
  });

  it("a field of a wrong type counts as missing", () => {
    const odd = {
      session_id: SESSION,
      cwd: 7,
      hook_event_name: "Stop",
      turn_id: {},
      last_assistant_message: ["x"],
      agent_id: 1,
      more: 1,
    };
    const { cwd: _cwd, ...nowhere } = from;
    expect(read(odd)).toEqual([{ to: "state", body: { ...nowhere, label: "019a7b00", state: "idle", outcome: "done" } }]);
    expect(read({ ...fixture("permission"), tool_input: 7, tool_name: 7 })).toEqual(
      state({ state: "waiting", wait: { id: expect.any(String) as string, kind: "permission", answerable: false } }),
    );
  });
});
