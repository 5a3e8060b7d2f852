import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readPayload as readClaudeCode } from "../claude-code/payload.ts";
import type { Report } from "../types.ts";
import { readPayload } from "./payload.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const SESSION = "5b1f0c1e-0000-4000-8000-00000000c001";

let home: string;
let seq: number;
const notes = (): string => join(home, ".moth", "run", "notes");

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "moth-cursor-"));
  seq = 1000;
  more = {};
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function payload(name: string, more: object = {}): object {
  return { ...(JSON.parse(readFileSync(join(fixtures, `${name}.json`), "utf8")) as object), ...more };
}

/** What comes of events, each in a process of its own. */
let more: Record<string, string> = {};
async function told(...events: (string | object)[]): Promise<Report[]> {
  const reports: Report[] = [];
  for (const event of events) {
    seq += 10;
    const read = await readPayload(typeof event === "string" ? payload(event) : event, {
      env: { HOME: home, USERPROFILE: home, ...more },
      seq,
    });
    reports.push(...read);
  }
  return reports;
}

const story = (reports: readonly Report[]): string[] =>
  reports.map(({ to, body }) =>
    to === "agent" ? JSON.stringify(body.text) : [body.state, body.outcome].filter(Boolean).join(":"),
  );

test("a turn on the screen: the reply is heard when the turn ends, and with it nothing but what the protocol names", async () => {
  const reports = await told("session-start", "before-submit-prompt", "after-agent-response", "stop", "session-end");
  expect(story(reports)).toEqual(["idle", "working", '"The tests pass. **Two files** changed."', "gone"]);
  const { seq: at, ...body } = reports[2]!.body;
  expect(at).toBe(1040);
  expect(body).toEqual({
    source: "cursor",
    session: SESSION,
    label: "my-app",
    text: "The tests pass. **Two files** changed.",
    outcome: "done",
    state: "idle",
    turn: "5b1f0c1e-0000-4000-8000-00000000e001",
  });
  for (const secret of ["secretly", "ada@", "/home/ada"]) expect(JSON.stringify(reports)).not.toContain(secret);
});

test("of several texts in one turn the last one is the reply", async () => {
  const first = payload("after-agent-response", { text: "Let me look." });
  const reports = await told("before-submit-prompt", first, "after-agent-response", "stop");
  expect(story(reports)).toEqual(["working", '"The tests pass. **Two files** changed."']);
});

test("a reply whose hook is slower than that of the turn's end is heard all the same", async () => {
  await told("before-submit-prompt");
  const stop = told("stop");
  setTimeout(() => void told("after-agent-response"), 50);
  expect(story(await stop)).toEqual(['"The tests pass. **Two files** changed."']);
});

test("a reply is heard once: not again at the next end without one, nor when the session ends", async () => {
  const turn = ["before-submit-prompt", "after-agent-response", "stop"];
  expect(story(await told(...turn, "before-submit-prompt", "stop", "session-end")).slice(2)).toEqual([
    "working",
    "idle:done",
    "gone",
  ]);
  expect(story(await told(...turn, "stop")).slice(2)).toEqual(["idle:done"]);
});

test.each([
  ["aborted", "idle:interrupted"],
  ["error", "idle:failed"],
])("a turn that ends %s is not heard, then or later", async (how, state) => {
  const turn = ["before-submit-prompt", "after-agent-response", `stop-${how}`];
  expect(story(await told(...turn, "session-end"))).toEqual(["working", state, "gone"]);
});

function copyTranscript(name: string): void {
  const file = join(home, ".cursor/projects/home-ada-code-my-app/agent-transcripts", name);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(join(fixtures, "transcript.jsonl"), file);
}

describe("a run that prints its answer", () => {
  const ways = { flat: `${SESSION}.jsonl`, nested: `${SESSION}/${SESSION}.jsonl` };
  test.each(Object.entries(ways))("is heard at its end, from its transcript (%s)", async (_, name) => {
    copyTranscript(name);
    const reports = await told("session-start", "session-end");
    expect(story(reports)).toEqual(["idle", '"Printed: all is well."', "gone"]);
    expect(reports[2]!.body.seq).toBeGreaterThan(reports[1]!.body.seq ?? 0);
  });

  test("is heard from the transcript that is told, too", async () => {
    const end = payload("session-end", { transcript_path: join(fixtures, "transcript.jsonl") });
    expect(story(await told("session-start", end))).toEqual(["idle", '"Printed: all is well."', "gone"]);
  });

  test("a session of which no start was told may have only older replies: nothing is heard", async () => {
    copyTranscript(ways.flat);
    expect(story(await told("session-end"))).toEqual(["gone"]);
    expect(story(await told("session-start", "before-submit-prompt", "stop", "session-end")).slice(2)).toEqual([
      "idle:done",
      "gone",
    ]);
  });

  test("one that failed is not heard", async () => {
    copyTranscript(ways.flat);
    const end = payload("session-end", { final_status: "error", reason: "error" });
    expect(story(await told("session-start", end))).toEqual(["idle", "gone"]);
  });
});

test("agents in the background and those that work for another are silent", async () => {
  expect(await told("session-start-background")).toEqual([]);
  for (const mark of [{ subagent_id: "s" }, { parent_conversation_id: "p" }, { is_background_agent: true }])
    expect(await told(payload("after-agent-response", mark), payload("stop", mark))).toEqual([]);
});

test("a session that both Cursor's and Claude Code's hooks tell of is heard once: Claude Code's reader takes none of its events", () => {
  for (const name of readdirSync(fixtures).filter((file) => file.endsWith(".json"))) {
    const event = payload(name.slice(0, -".json".length));
    // Cursor translates some names when it runs Claude Code's hooks.
    for (const as of [{}, { hook_event_name: "Stop", last_assistant_message: "Again." }, { hook_event_name: "SessionStart" }])
      expect(readClaudeCode({ ...event, ...as }, { env: {}, seq })).toEqual([]);
  }
});

test("what is kept for the next process is closed to others and gone with the session", async () => {
  await told("before-submit-prompt", "after-agent-response");
  const [file, ...more] = readdirSync(notes());
  expect(more).toEqual([]);
  if (process.platform !== "win32") {
    expect(statSync(join(notes(), file!)).mode & 0o777).toBe(0o600);
    expect(statSync(notes()).mode & 0o777).toBe(0o700);
  }
  await told("stop");
  expect(readFileSync(join(notes(), file!), "utf8")).not.toContain("tests pass");
  await told("session-end");
  expect(existsSync(join(notes(), file!))).toBe(false);
});

test.each([
  [null],
  [1],
  [[]],
  [{}],
  [{ hook_event_name: "stop" }],
  [payload("stop", { hook_event_name: "preToolUse" })],
  [payload("stop", { conversation_id: 1, session_id: 2 })],
])("%j is no event", async (event) => {
  expect(await readPayload(event, { env: { HOME: home }, seq })).toEqual([]);
});

test("with content off a note holds how long a reply is, and nothing of it", async () => {
  more = { MOTH_CONTENT: "off" };
  const said = { conversation_id: SESSION, hook_event_name: "afterAgentResponse", text: "A DECOY 🌼.", generation_id: "g1" };
  await told(said);
  const [name = ""] = readdirSync(notes());
  expect(readFileSync(join(notes(), name), "utf8")).not.toContain("DECOY");
  const stop = { conversation_id: SESSION, hook_event_name: "stop", status: "completed" };
  expect((await told(stop))[0]?.body).toMatchObject({ text: "", chars: said.text.length, turn: "g1", outcome: "done" });
  await told(said);
  const end = { conversation_id: SESSION, hook_event_name: "sessionEnd", reason: "completed" };
  expect((await told(end))[0]?.body).toMatchObject({ text: "", chars: said.text.length });
});
