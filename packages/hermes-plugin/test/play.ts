import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { listen, type Request } from "./listener.ts";
import { findPython } from "./python.ts";

export const PLUGIN = join(import.meta.dirname, "..", "plugin");
const TOKEN = "a-token-of-thirty-two-characters";
export const python = findPython();
if (!python.found) process.stderr.write(`skipped: the plugin's behaviour, ${python.reason}\n`);

export type Event = Record<string, unknown>;
type Call = { call: string; event: Event; cwd?: string; review?: boolean };
/** A dialog in the window: what tells of it before and after, and what the person's key gives once a file is there. */
export interface Dialog {
  dialog: "_approval_state" | "_clarify_state";
  shows: Event;
  before: Step;
  after: Step;
  key?: { when: string; value: string };
  /** What is told afterwards, whatever was given. */
  tells?: Event;
}
export type Step = Call | Dialog | { together: Dialog[] } | { turn: Step[] } | { token: string } | { wait: string };
export interface Played {
  returned: unknown[];
  printed: string;
  hooks: string[];
  /** What each dialog was answered with. */
  given: string[];
}

/** Plays steps in a process of its own that ends as `hermes -z` does, at once. */
export async function play(
  steps: readonly Step[],
  options: { url?: string; env?: Record<string, string>; token?: false } = {},
): Promise<Played> {
  if (!python.found) throw new Error(python.reason);
  const home = mkdtempSync(join(tmpdir(), "moth hermes "));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  if (options.token !== false) writeFileSync(join(home, "token"), TOKEN);
  const child = spawn(python.program, [join(import.meta.dirname, "host.py")], {
    cwd: home,
    env: {
      PATH: process.env["PATH"],
      SystemRoot: process.env["SystemRoot"],
      PLUGIN,
      PYTHONUTF8: "1",
      MOTH_HOME: home,
      MOTH_URL: options.url ?? "http://127.0.0.1:9",
      ...options.env,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (errors += chunk));
  child.stdin.end(JSON.stringify(steps));
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  return JSON.parse(output) as Played;
}

const BASE = { model: "m", platform: "cli", task_id: "task", telemetry_schema_version: "hermes.observer.v1" };
export const one = { ...BASE, session_id: "20261130_051048_aaaaaa", turn_id: "turn-1" };

export const start = (more: Event = {}): Step => ({
  call: "pre_llm_call",
  event: { ...one, user_message: "a private prompt", conversation_history: [], is_first_turn: true, sender_id: "", ...more },
});
export const model = (content: string | null, calls: { id: string; name: string }[] = [], more: Event = {}): Step => ({
  call: "post_api_request",
  event: {
    ...one,
    response: {
      assistant_message: {
        role: "assistant",
        content,
        tool_calls: calls.map(({ id, name }) => ({ id, type: "function", function: { name, arguments: '{"secret": 1}' } })),
      },
    },
    ...more,
  },
});
export const reply = (text: string, more: Event = {}): Step => ({
  call: "post_llm_call",
  event: { ...one, user_message: "a private prompt", assistant_response: text, conversation_history: [], ...more },
});
export const end = (more: Event = {}): Step => ({
  call: "on_session_end",
  event: { ...one, completed: true, interrupted: false, ...more },
});
export const turn = (text: string, more: Event = {}): Step[] => [
  start(more),
  model(text, [], more),
  reply(text, more),
  end(more),
];
export const tool = (id: string, name: string): Step => ({
  call: "post_tool_call",
  event: { ...one, tool_name: name, tool_call_id: id, args: { secret: 1 }, result: "a private result", status: "ok" },
});

export const ask = (id: string, surface = "cli"): Call => ({
  call: "pre_approval_request",
  event: { command: "rm -rf private", pattern_key: "p", session_key: "s", surface, turn_id: "turn-1", tool_call_id: id },
});
export const answer = (id: string, surface = "cli"): Call => ({ ...ask(id, surface), call: "post_approval_response" });
export const askByKey = (key: string): Step => ({
  call: "pre_approval_request",
  event: { pattern_key: "p", session_key: key, surface: "gateway" },
});
export const finalize = (session: string | null): Step => ({
  call: "on_session_finalize",
  event: { session_id: session, platform: "cli" },
});

/** Bodies in the order moth puts them in. */
export function bodies(requests: readonly Request[]): Event[] {
  return requests.map(({ body }) => JSON.parse(body) as Event).sort((a, b) => Number(a["seq"]) - Number(b["seq"]));
}

/** What was reported, as words: `working`, `idle:done`, `waiting:permission(id)`, `said:text`. */
export function words(requests: readonly Request[]): string[] {
  return bodies(requests).map((body) => {
    if ("text" in body)
      return `said:${String(body["text"])}:${String(body["outcome"])}${body["state"] === "working" ? ":working" : ""}`;
    const wait = body["wait"] as Event | undefined;
    if (wait) return `waiting:${String(wait["kind"])}(${String(wait["id"])})`;
    return [body["state"], body["outcome"] ?? body["ended"]].filter(Boolean).join(":");
  });
}

export async function reported(steps: readonly Step[], count: number): Promise<string[]> {
  const listener = await listen();
  await play(steps, { url: listener.url });
  return words(await listener.take(count));
}
