import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Report } from "../types.ts";
import { readPayload } from "./payload.ts";

type Json = Record<string, unknown>;
const lines = (name: string): string[] =>
  readFileSync(join(import.meta.dirname, "fixtures", `${name}.jsonl`), "utf8")
    .trim()
    .split("\n");

let home: string;
let env: Record<string, string>;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "moth-copilot-"));
  env = { HOME: home, USERPROFILE: home, COPILOT_CLI: "1" };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** The fixture's paths, in this test's home. */
const here = (line: string): string => line.replaceAll("/home/ada/.copilot", join(home, ".copilot").replaceAll("\\", "/"));

/** Plays a recording: each payload meets the record as far as it had come when its hook began. */
async function play(name: string): Promise<string[]> {
  const records = lines(`${name}-events`).map(here);
  const payloads = lines(`${name}-hooks`).map((line) => JSON.parse(here(line)) as Json);
  const session = String(payloads[0]?.["session_id"]);
  const file = join(home, ".copilot", "session-state", session, "events.jsonl");
  mkdirSync(dirname(file), { recursive: true });
  const said: string[] = [];
  for (const payload of payloads) {
    const time = typeof payload["timestamp"] === "string" ? Date.parse(payload["timestamp"]) : payload["timestamp"];
    const at = records.findIndex((line) => line.includes('"hook.start"') && line.includes(`"timestamp":${String(time)},`));
    writeFileSync(file, `${records.slice(0, at + 1).join("\n")}\n`);
    const reports = await readPayload(payload, { env, seq: 17, caller: 4711 });
    said.push(`${String(payload["hook_event_name"])}: ${reports.map(spell).join(", ")}`);
  }
  return said;
}

function spell({ to, body }: Report): string {
  const whose = `${body.source} ${body.session} ${body.label} ${body.pid}`;
  if (whose !== "copilot 5e550001-0000-4000-8000-000000000000 my-app 4711") return whose;
  if (to === "agent") return `${JSON.stringify(body.text)} ${body.state} ${body.outcome}`;
  const { state, outcome, wait } = body;
  return [state, outcome, wait?.kind, wait?.tool, wait?.id.slice(0, 8)].filter(Boolean).join(" ");
}

it("a conversation in a terminal becomes these reports", async () => {
  expect(await play("terminal")).toEqual([
    "UserPromptSubmit: working",
    'Stop: "The first reply." idle done',
    "UserPromptSubmit: working",
    // Two at once: each notification tells of both, and the server hears each wait once.
    "Notification: waiting permission bash 5e550006, waiting permission bash 5e550007",
    "Notification: waiting permission bash 5e550006, waiting permission bash 5e550007",
    'Stop: "Made both." idle done',
    "UserPromptSubmit: working",
    // Esc on the dialog: the record's.
    "Notification: waiting permission bash 5e550011",
    "UserPromptSubmit: working",
    "Notification: waiting question ask_user call_5_0",
    'Stop: "Red it is." idle done',
    "UserPromptSubmit: working",
    // A turn without a word.
    "Stop: idle done",
    // An error, and Esc: the record's.
    "UserPromptSubmit: working",
    "UserPromptSubmit: working",
    "UserPromptSubmit: working",
    // A subagent begins, and asks.
    "UserPromptSubmit: ",
    "Notification: waiting permission bash 5e550022",
    'Stop: "A helper is at it." working done',
    "Stop: ",
    // Its news.
    "UserPromptSubmit: working",
    "Notification: ",
    'Stop: "The helper is done." idle done',
    "SessionEnd: gone",
  ]);
});

it("so does one with a plan, of which no hook tells", async () => {
  expect(await play("plan")).toEqual(["UserPromptSubmit: working", 'Stop: "Done as planned." idle done', "SessionEnd: gone"]);
});

describe("a record that is behind", () => {
  const stop = JSON.parse(lines("terminal-hooks")[5] ?? "") as Json;
  const records = lines("terminal-events");
  const marker = records.findIndex((line) => line.includes(`"timestamp":${Date.parse(String(stop["timestamp"]))},`));
  let file: string;
  beforeEach(() => {
    file = join(home, "events.jsonl");
    writeFileSync(file, "");
  });
  const read = (payload: Json = stop): Promise<Report[]> =>
    readPayload({ ...payload, transcript_path: file }, { env, seq: Date.now() });

  it("is waited for, until the hook's own beginning stands in it", async () => {
    writeFileSync(file, `${records.slice(0, marker - 3).join("\n")}\n`);
    const reading = read();
    setTimeout(() => appendFileSync(file, `${records.slice(marker - 3, marker - 1).join("\n")}\n`), 60);
    setTimeout(() => appendFileSync(file, `${records.slice(marker - 1, marker + 1).join("\n")}\n`), 120);
    expect((await reading)[0]?.body).toMatchObject({ text: "Made both.", turn: "5e550008-0000-4000-8000-000000000000" });
  });

  it("also when its file is not there yet, as in a one-shot run", async () => {
    rmSync(file);
    const reading = read();
    setTimeout(() => writeFileSync(file, `${records.slice(0, marker + 1).join("\n")}\n`), 60);
    expect((await reading)[0]?.body).toMatchObject({ text: "Made both." });
  });

  it("for half a second at most, and an older reply is not taken for this turn's", async () => {
    const older = records.slice(
      0,
      records.findIndex((line) => line.includes('"agentStop"')),
    );
    writeFileSync(file, `${older.join("\n")}\n`);
    const began = performance.now();
    expect((await read())[0]).toEqual({
      to: "state",
      body: {
        source: "copilot",
        session: stop["session_id"],
        label: "my-app",
        cwd: "/home/ada/my-app",
        seq: expect.any(Number),
        state: "idle",
        outcome: "done",
      },
    });
    expect(performance.now() - began).toBeGreaterThan(350);
  });

  it("is not waited for when the hook has taken its time already", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const late = { env, seq: Date.now() - 800 };
    expect((await readPayload({ ...stop, transcript_path: file }, late))[0]?.body).toMatchObject({ state: "idle" });
  });

  it("is not trusted when the event bears no date", async () => {
    writeFileSync(file, `${records.slice(0, marker + 1).join("\n")}\n`);
    const { timestamp: _timestamp, ...undated } = stop;
    expect((await read(undated))[0]?.body).toMatchObject({ state: "idle", outcome: "done" });
  });

  it("of a version that writes nothing of its hooks is read all the same, when the reply is fresh", async () => {
    const without = records.slice(0, marker).filter((line) => !line.includes('"hook.start"'));
    writeFileSync(file, `${without.join("\n")}\n`);
    expect((await read())[0]?.body).toMatchObject({ text: "Made both." });
  });

  it("and whose last line is cut off costs nothing", async () => {
    writeFileSync(file, `${records.slice(0, marker + 1).join("\n")}\n{"type":"assistant.mess`);
    expect((await read())[0]?.body).toMatchObject({ text: "Made both." });
  });
});
