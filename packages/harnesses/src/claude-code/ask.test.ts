import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeTestHome, type TestHome } from "../../test/test-home.ts";
import type { Report } from "../types.ts";
import { readEvent } from "./read-event.ts";

type Json = Record<string, unknown>;
const folder = join(import.meta.dirname, "fixtures");
const fixture = (name: string): Json => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as Json;
const asks = (tool_name: string, tool_input: Json): Json => ({ ...fixture("permission-bash"), tool_name, tool_input });
const PID = 4711;

let home: TestHome;
beforeEach(() => {
  home = makeTestHome();
});
afterEach(() => home.remove());

async function read(payload: Json, answers = true, entry = "cli"): Promise<Report & { to: "state" }> {
  const env = { HOME: home.path, CLAUDE_PID: String(PID), CLAUDE_CODE_ENTRYPOINT: entry };
  const [report] = await readEvent(payload, { env, seq: 17, ...(answers && { answers }) });
  if (report?.to !== "state") throw new Error("no state report");
  return report;
}

const textOf = async (payload: Json): Promise<string | undefined> => (await read(payload)).body.wait?.text;

/** What is printed for an answer. */
async function decision(payload: Json, answer: { choice?: string; text?: string }): Promise<unknown> {
  const decided = (await read(payload)).ask?.decide(answer);
  if (!decided || "problem" in decided) return decided;
  expect(decided.print).toMatch(/^\{.*\}\n$/);
  const { hookSpecificOutput } = JSON.parse(decided.print) as { hookSpecificOutput: Json };
  expect(hookSpecificOutput["hookEventName"]).toBe("PermissionRequest");
  return hookSpecificOutput["decision"];
}

describe("what is asked", () => {
  it.each<[string, string]>([
    ["permission-bash", "touch a1"],
    ["permission-write", "/tmp/fx/my-app/w.txt, all of it:\n+ hello"],
    ["permission-edit", "/tmp/fx/my-app/w.txt:\n- hello\n+ bye"],
    ["permission-subagent", "A subagent (general-purpose) asks:\ntouch sub1"],
    ["permission-plan", "# Plan\n\n1. do it\n"],
    ["permission-question", "Which colour?\n\n- Red: r\n- Blue: b"],
  ])("%s is told whole", async (name, expected) => {
    const { wait } = (await read(fixture(name))).body;
    expect(wait).toMatchObject({ text: expected, answerable: true });
    expect(wait?.options).toEqual(name === "permission-question" ? ["Red", "Blue"] : undefined);
  });

  it("is not told while answers are off", async () => {
    for (const name of ["permission-bash", "permission-question", "permission-plan"]) {
      const report = await read(fixture(name), false);
      expect(report.body.wait).toEqual({
        id: expect.any(String) as string,
        kind: expect.any(String) as string,
        tool: expect.any(String) as string,
        answerable: false,
      });
      expect(report.ask).toBeUndefined();
    }
  });

  it("is not told outside the terminal, where nobody has seen whether the dialog waits for the hook", async () => {
    expect((await read(fixture("permission-bash"), true, "claude-vscode")).body.wait?.answerable).toBe(false);
  });

  it("says what a command or an edit does beside", async () => {
    expect(await textOf(asks("Bash", { command: "npm start", run_in_background: true }))).toBe("npm start\n(in the background)");
    const edit = { file_path: "/a", old_string: "x\r\ny\r\n", new_string: "", replace_all: true };
    expect(await textOf(asks("Edit", edit))).toBe("/a, wherever it stands:\n- x\n- y\n+ ");
  });

  it("of a tool or a field that moth does not know is its whole input", async () => {
    expect(await textOf(asks("mcp__db__drop", { table: "users" }))).toBe('mcp__db__drop {\n  "table": "users"\n}');
    expect(await textOf(asks("Bash", { command: "ls", dangerouslyDisableSandbox: true }))).toContain("dangerouslyDisableSandbox");
  });

  it.each<[string, Json]>([
    ["longer than moth shows", asks("Bash", { command: `echo ${"x".repeat(4000)}` })],
    ["with escape sequences, which moth does not show", asks("Bash", { command: "echo \x1b[8mhidden\x1b[0m" })],
    ["with marks that turn the reading direction", asks("Bash", { command: "rm \u202eelif" })],
    ["without an input", { ...fixture("permission-bash"), tool_input: "touch" }],
    ["a plan that is nowhere", asks("ExitPlanMode", {})],
    [
      "several questions",
      asks("AskUserQuestion", {
        questions: [
          { question: "A?", options: [] },
          { question: "B?", options: [] },
        ],
      }),
    ],
    [
      "several choices",
      asks("AskUserQuestion", { questions: [{ question: "A?", multiSelect: true, options: [{ label: "x" }] }] }),
    ],
    [
      "two options of one name",
      asks("AskUserQuestion", { questions: [{ question: "A?", options: [{ label: "x" }, { label: "x" }] }] }),
    ],
    [
      "an option that moth shows otherwise",
      asks("AskUserQuestion", { questions: [{ question: "A?", options: [{ label: " x" }] }] }),
    ],
    ["an option without a name", asks("AskUserQuestion", { questions: [{ question: "A?", options: [7] }] })],
    ["no question", asks("AskUserQuestion", { questions: [] })],
  ])("%s: answered in the window alone", async (_, payload) => {
    const { body, ask } = await read(payload);
    expect(body.wait?.answerable).toBe(false);
    expect(body.wait).not.toHaveProperty("text");
    expect(body.wait?.why).toMatch(/^\w.*\.$/);
    expect(ask).toBeUndefined();
  });
});

describe("an answer", () => {
  const bash = fixture("permission-bash");
  const plan = fixture("permission-plan");
  const question = fixture("permission-question");
  const both = "Claude Code takes one of its options or your own words, not both.";

  it.each<[string, Json, { choice?: string; text?: string }, unknown]>([
    ["allows once", bash, { choice: "allow" }, { behavior: "allow" }],
    ["denies", bash, { choice: "deny" }, { behavior: "deny", message: "The user denied this." }],
    ["denies with words", bash, { choice: "deny", text: "Not here." }, { behavior: "deny", message: "Not here." }],
    ["rejects a plan", plan, { choice: "reject" }, { behavior: "deny", message: "The user rejected the plan." }],
    ["rejects a plan with words", plan, { choice: "reject", text: "Smaller." }, { behavior: "deny", message: "Smaller." }],
    ["cannot give both to a question", question, { choice: "Red", text: "dark" }, { problem: both }],
  ])("%s", async (_, payload, answer, expected) => {
    expect(await decision(payload, answer)).toEqual(expected);
  });

  it("approves a plan into the mode that asks for every edit, with the plan as it came", async () => {
    expect(await decision(plan, { choice: "approve" })).toEqual({
      behavior: "allow",
      updatedInput: plan["tool_input"],
      updatedPermissions: [{ type: "setMode", mode: "default", destination: "session" }],
    });
  });

  it("to a question is an option or the person's own words, beside the question as it came", async () => {
    const with_ = (said: string): unknown => ({
      behavior: "allow",
      updatedInput: { ...(question["tool_input"] as object), answers: { "Which colour?": said } },
    });
    expect(await decision(question, { choice: "Blue" })).toEqual(with_("Blue"));
    expect(await decision(question, { text: "Green, rather" })).toEqual(with_("Green, rather"));
  });

  it.each([bash, plan])("with words cannot go with a yes, and says so", async (payload) => {
    const yes = payload === bash ? "allow" : "approve";
    expect(await decision(payload, { choice: yes, text: "but" })).toEqual({
      problem: expect.stringContaining("takes no words") as string,
    });
  });

  it.each([bash, plan])("of another kind is none", async (payload) => {
    for (const answer of [{ choice: "always" }, { text: "yes" }, { choice: "Red" }, {}])
      expect(await decision(payload, answer)).toEqual({ problem: expect.stringContaining("in its window") as string });
  });
});

describe("whether Claude Code still asks", () => {
  const session = fixture("permission-bash")["session_id"] as string;
  const note = (status: string, sessionId = session, statusUpdatedAt = 1): void => {
    const folder = join(home.path, ".claude", "sessions");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${PID}.json`), JSON.stringify({ pid: PID, sessionId, status, statusUpdatedAt }));
  };

  it("is read off the session's note, once that has said that it waits", async () => {
    const { ask } = await read(fixture("permission-bash"));
    expect(ask?.isOver()).toBe(false);
    note("busy");
    expect(ask?.isOver()).toBe(false);
    note("waiting");
    expect(ask?.isOver()).toBe(false);
    note("busy");
    expect(ask?.isOver()).toBe(true);
    // The next dialog: as far as can be seen, this one may be it.
    note("waiting");
    expect(ask?.isOver()).toBe(false);
    rmSync(join(home.path, ".claude"), { recursive: true });
    expect(ask?.isOver()).toBe(false);
  });

  it("is read off an idle note that is newer than the dialog, also when nobody has looked while it stood", async () => {
    const { ask } = await read(fixture("permission-bash"));
    note("idle");
    expect(ask?.isOver()).toBe(false);
    note("idle", session, Date.now() + 60_000);
    expect(ask?.isOver()).toBe(true);
  });

  it("is no once another conversation lives in the process", async () => {
    const { ask } = await read(fixture("permission-bash"));
    note("waiting", "another");
    expect(ask?.isOver()).toBe(true);
  });
});
