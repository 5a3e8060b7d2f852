import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { listen, type Request } from "./listener.ts";
import { findPython } from "./python.ts";

const PLUGIN = join(import.meta.dirname, "..", "plugin");
const TOKEN = "a-token-of-thirty-two-characters";
const python = findPython();
if (!python.found) process.stderr.write(`skipped: the plugin's behaviour, ${python.reason}\n`);

type Event = Record<string, unknown>;
type Call = { call: string; event: Event; cwd?: string; review?: boolean };
type Step =
  | { call: string; event: Event; cwd?: string; review?: boolean }
  | { turn: Step[] }
  | { token: string }
  | { wait: string };
interface Played {
  returned: unknown[];
  printed: string;
  hooks: string[];
}

/** Plays steps in a process of its own that ends as `hermes -z` does, at once. */
async function play(
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
const one = { ...BASE, session_id: "20261130_051048_aaaaaa", turn_id: "turn-1" };

const start = (more: Event = {}): Step => ({
  call: "pre_llm_call",
  event: { ...one, user_message: "a private prompt", conversation_history: [], is_first_turn: true, sender_id: "", ...more },
});
const model = (content: string | null, calls: { id: string; name: string }[] = [], more: Event = {}): Step => ({
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
const reply = (text: string, more: Event = {}): Step => ({
  call: "post_llm_call",
  event: { ...one, user_message: "a private prompt", assistant_response: text, conversation_history: [], ...more },
});
const end = (more: Event = {}): Step => ({
  call: "on_session_end",
  event: { ...one, completed: true, interrupted: false, ...more },
});
const turn = (text: string, more: Event = {}): Step[] => [start(more), model(text, [], more), reply(text, more), end(more)];
const tool = (id: string, name: string): Step => ({
  call: "post_tool_call",
  event: { ...one, tool_name: name, tool_call_id: id, args: { secret: 1 }, result: "a private result", status: "ok" },
});

const ask = (id: string, surface = "cli"): Call => ({
  call: "pre_approval_request",
  event: { command: "rm -rf private", pattern_key: "p", session_key: "s", surface, turn_id: "turn-1", tool_call_id: id },
});
const answer = (id: string, surface = "cli"): Call => ({ ...ask(id, surface), call: "post_approval_response" });
const askByKey = (key: string): Step => ({
  call: "pre_approval_request",
  event: { pattern_key: "p", session_key: key, surface: "gateway" },
});
const finalize = (session: string | null): Step => ({
  call: "on_session_finalize",
  event: { session_id: session, platform: "cli" },
});

/** Bodies in the order moth puts them in. */
function bodies(requests: readonly Request[]): Event[] {
  return requests.map(({ body }) => JSON.parse(body) as Event).sort((a, b) => Number(a["seq"]) - Number(b["seq"]));
}

/** What was reported, as words: `working`, `idle:done`, `waiting:permission(id)`, `said:text`. */
function words(requests: readonly Request[]): string[] {
  return bodies(requests).map((body) => {
    if ("text" in body)
      return `said:${String(body["text"])}:${String(body["outcome"])}${body["state"] === "working" ? ":working" : ""}`;
    const wait = body["wait"] as Event | undefined;
    if (wait) return `waiting:${String(wait["kind"])}(${String(wait["id"])})`;
    return [body["state"], body["outcome"] ?? body["ended"]].filter(Boolean).join(":");
  });
}

async function reported(steps: readonly Step[], count: number): Promise<string[]> {
  const listener = await listen();
  await play(steps, { url: listener.url });
  return words(await listener.take(count));
}

describe.runIf(python.found)("the plugin in its harness", () => {
  test("posts the final reply of a turn once, though the process ends right after", async () => {
    const listener = await listen();
    await play(turn("All **done**."), { url: listener.url });
    const requests = await listener.take(2);
    expect(requests.map(({ head }) => head.split(" ")[1])).toEqual(["/api/state", "/api/agent"]);
    const [, said] = bodies(requests);
    expect(said).toMatchObject({
      source: "hermes",
      session: one.session_id,
      text: "All **done**.",
      outcome: "done",
      turn: "turn-1",
    });
    expect(said?.["label"]).toMatch(/^moth hermes /);
    expect(said?.["pid"]).toBeGreaterThan(0);
  });

  test("sends nothing but what the protocol names", async () => {
    const listener = await listen();
    const steps = [start(), model("Look.", [{ id: "c1", name: "clarify" }]), tool("c1", "clarify"), reply("Done."), end()];
    await play(steps, { url: listener.url });
    const requests = await listener.take(4);
    const allowed = ["source", "session", "label", "seq", "pid", "text", "outcome", "turn", "state", "wait", "ended"];
    for (const body of bodies(requests)) expect(allowed).toEqual(expect.arrayContaining(Object.keys(body)));
    expect(JSON.stringify(requests)).not.toMatch(/private|secret/);
  });

  test("says nothing of an interrupted turn but that it is over", async () => {
    expect(await reported([start(), reply("Half of"), end({ interrupted: true })], 2)).toEqual(["working", "idle:interrupted"]);
  });

  test("a failed turn's explanation, written by the harness, is no reply", async () => {
    const failed = [start(), reply("The provider failed."), end({ completed: false, failed: true })];
    expect(await reported(failed, 2)).toEqual(["working", "idle:failed"]);
    const limited = [
      start(),
      reply("I stop here."),
      end({ completed: false, turn_exit_reason: "max_iterations_reached(90/90)" }),
    ];
    expect(await reported(limited, 2)).toEqual(["working", "idle:limit"]);
  });

  test("a turn without text is not heard, nor what the harness says in its place", async () => {
    expect(await reported([start(), end()], 2)).toEqual(["working", "idle:done"]);
    const empty = [start(), model(""), model("<think>hm</think>"), reply("No reply: the model returned nothing."), end()];
    expect(await reported(empty, 2)).toEqual(["working", "idle:done"]);
  });

  test("a reply written beside the last tool call counts when nothing follows", async () => {
    const steps = [start(), model("It is done.", [{ id: "c1", name: "memory" }]), model(""), reply("It is done."), end()];
    expect(await reported(steps, 2)).toEqual(["working", "said:It is done.:done"]);
  });

  test("never posts an older reply again", async () => {
    const second = { turn_id: "turn-2" };
    const steps = [...turn("The first."), start(second), end(second), end(), end(second), reply("The first."), end()];
    expect(await reported(steps, 4)).toEqual(["working", "said:The first.:done", "working", "idle:done"]);
  });

  test("a window that closes between turns does not interrupt the turn before", async () => {
    const closing: Step[] = [
      end({ turn_id: undefined, completed: false, interrupted: true }),
      { call: "on_session_finalize", event: { session_id: one.session_id, platform: "tui" } },
    ];
    expect(await reported([...turn("Done."), ...closing], 3)).toEqual(["working", "said:Done.:done", "gone"]);
  });

  test("a subagent is silent; its session works until it is over", async () => {
    const child = { session_id: "child", turn_id: "child-turn", platform: "subagent" };
    const begun: Step = { call: "subagent_start", event: { parent_session_id: one.session_id, child_session_id: "child" } };
    const over: Step = { call: "subagent_stop", event: { parent_session_id: one.session_id, child_session_id: "child" } };
    const asks: Step = { call: "pre_approval_request", event: { turn_id: "child-turn", tool_call_id: "c9", surface: "cli" } };
    const steps = [
      start(),
      begun,
      ...turn("From the helper.", child),
      ...turn("From the helper.", { ...child, platform: "cli" }),
      asks,
      reply("A helper is at it."),
      end(),
      over,
      ...turn("It is done.", { turn_id: "turn-2" }),
    ];
    expect(await reported(steps, 5)).toEqual([
      "working",
      "waiting:permission(c9)",
      "said:A helper is at it.:done:working",
      "working",
      "said:It is done.:done",
    ]);
  });

  test("says nothing of the harness's own looking back, under the session's id, nor of its curator", async () => {
    const review = turn("Nothing to save.", { turn_id: "turn-2" }).map((step) => ({ ...step, review: true }));
    const curator = turn("Tidied.", { turn_id: "turn-3", session_id: "curator", platform: "curator" });
    expect(await reported([...turn("Done."), ...review, ...curator], 2)).toEqual(["working", "said:Done.:done"]);
  });

  test("an approval is a wait of its own; one that a model decides is none", async () => {
    const calls = [
      { id: "c1", name: "terminal" },
      { id: "c2", name: "terminal" },
    ];
    const steps = [
      start(),
      model("", calls),
      ask("c0", "smart"),
      answer("c0", "smart"),
      ask("c1"),
      ask("c2"),
      answer("c1"),
      answer("c2"),
    ];
    const listener = await listen();
    await play(steps, { url: listener.url });
    const requests = await listener.take(5);
    expect(words(requests)).toEqual(["working", "waiting:permission(c1)", "waiting:permission(c2)", "working:c1", "working:c2"]);
    expect(bodies(requests)[1]?.["wait"]).toEqual({ id: "c1", kind: "permission", tool: "terminal", answerable: false });
  });

  test("an approval whose turn is not told is found by a key that is the session's id; of a stranger nothing is said", async () => {
    expect(await reported([start(), askByKey("somebody"), askByKey(one.session_id), end()], 3)).toEqual([
      "working",
      "waiting:permission(p)",
      "idle:done",
    ]);
  });

  test("a question to the person is a wait from when the calls before it are over", async () => {
    const calls = [
      { id: "c1", name: "terminal" },
      { id: "c2", name: "clarify" },
    ];
    const steps = [start(), model("", calls), tool("c1", "terminal"), tool("c2", "clarify"), model("Red."), reply("Red."), end()];
    expect(await reported(steps, 4)).toEqual(["working", "waiting:question(c2)", "working:c2", "said:Red.:done"]);
  });

  test.skipIf(process.platform === "win32")("a turn that ends without a word of the harness is seen to be over", async () => {
    const listener = await listen();
    const pipe = join(mkdtempSync(join(tmpdir(), "moth hermes ")), "go on");
    onTestFinished(() => rmSync(join(pipe, ".."), { recursive: true, force: true }));
    const error: Step = { call: "api_request_error", event: { ...one, status_code: 429, reason: "rate_limit" } };
    // The process waits at a pipe until the report has come.
    execFileSync("mkfifo", [pipe]);
    const played = play([{ turn: [start(), error] }, { wait: pipe }], { url: listener.url });
    const requests = await listener.take(2);
    writeFileSync(pipe, "");
    await played;
    expect(words(requests)).toEqual(["working", "idle:limit"]);
  });

  test("the end of a session, and only of one it has heard of, is told; a turn it cuts short is named", async () => {
    const reset: Step = { call: "on_session_reset", event: { session_id: "new", platform: "cli", reason: "new_session" } };
    const steps = [
      ...turn("Done."),
      finalize(null),
      finalize("never heard of"),
      finalize(one.session_id),
      finalize(one.session_id),
      reset,
    ];
    expect(await reported(steps, 4)).toEqual(["working", "said:Done.:done", "gone", "idle"]);
    expect(await reported([start(), finalize(one.session_id)], 2)).toEqual(["working", "gone:interrupted"]);
  });

  test("a conversation the terminal has left for another one is gone; one in the background, or one that works, is not", async () => {
    const listener = await listen();
    const aside = { session_id: "bg_1", turn_id: "bg" };
    const other = { session_id: "other", turn_id: "turn-2" };
    const third = { session_id: "third", turn_id: "turn-3" };
    await play([...turn("Aside.", aside), ...turn("One."), start(other), ...turn("Three.", third)], { url: listener.url });
    const all = bodies(await listener.take(8));
    expect(all.flatMap((body) => (body["state"] === "gone" ? [body["session"]] : []))).toEqual([one.session_id]);
  });

  test("a compaction that moves the conversation to a new id in mid-turn leaves no ghost", async () => {
    const moved = { session_id: "moved" };
    const listener = await listen();
    await play([start(), reply("Done.", moved), end(moved)], { url: listener.url });
    const all = bodies(await listener.take(3));
    expect(all.map((body) => [body["session"], body["state"]])).toEqual([
      [one.session_id, "working"],
      [one.session_id, "gone"],
      ["moved", "idle"],
    ]);
  });

  test("sessions of one process are kept apart, each named by the folder of its own context, without a pid", async () => {
    const root = mkdtempSync(join(tmpdir(), "moth hermes "));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const a = { session_id: "a", turn_id: "ta", platform: "telegram" };
    const b = { session_id: "b", turn_id: "tb", platform: "telegram" };
    const at = (folder: string, steps: Step[]): Step[] => steps.map((step) => ({ ...step, cwd: join(root, folder) }));
    const [startA, , ...endA] = at("moth repo", turn("From a.", a));
    const [startB, , ...endB] = at("other", turn("From b.", b));
    const listener = await listen();
    await play([startA as Step, startB as Step, ...endB, ...endA], { url: listener.url });
    const all = bodies(await listener.take(4));
    expect(all.map((body) => [body["session"], body["label"], body["text"]])).toEqual([
      ["a", "moth repo", undefined],
      ["b", "other", undefined],
      ["b", "other", "From b."],
      ["a", "moth repo", "From a."],
    ]);
    for (const body of all) expect(body).not.toHaveProperty("pid");
  });

  test("returns nothing, prints nothing and raises nothing, whatever it is called with", async () => {
    const hooks = (await play([])).hooks;
    const odd: Event[] = [
      {},
      { session_id: null, turn_id: 7, platform: [], completed: "yes", surface: {}, tool_call_id: null },
      { ...one, unknown: { deep: [] }, assistant_response: ["a", "list"], response: "text", reason: 5 },
      { ...one, response: { assistant_message: { content: [1], tool_calls: [null, 1, { id: 1 }, { id: "x", function: "y" }] } } },
      { ...one, assistant_response: "half \ud83d", platform: "cli" },
    ];
    const steps = hooks.flatMap((call) => odd.map((event) => ({ call, event })));
    const played = await play(steps);
    expect(played.returned).toEqual(steps.map(() => null));
    expect(played.printed).toBe("");
  });

  test("registers what its manifest says, and nothing where an error could stop a tool", async () => {
    const manifest = readFileSync(join(PLUGIN, "plugin.yaml"), "utf8");
    const { hooks } = await play([]);
    expect([...manifest.matchAll(/^ {2}- (\w+)$/gm)].map((match) => match[1] ?? "").toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
      hooks,
    );
    expect(hooks.filter((hook) => /^(pre_tool_call|pre_verify|transform_|pre_gateway)/.test(hook))).toEqual([]);
  });

  test("works with a server that answers garbage, answers never, or reads nothing", async () => {
    const garbage = await listen((socket) => socket.write("\x00\xff not http"));
    const deaf = await listen((socket) => socket.pause());
    const silent = await listen();
    for (const server of [garbage, deaf, silent]) {
      const played = await play(turn("x".repeat(60_000)), { url: server.url });
      expect(played).toMatchObject({ printed: "", returned: [null, null, null, null] });
      expect(server.connections()).toBe(2);
    }
  });

  test("works with the server down", async () => {
    expect(await play(turn("Done."))).toMatchObject({ printed: "", returned: [null, null, null, null] });
  });

  test("goes past a proxy", async () => {
    const proxy = await listen();
    const listener = await listen();
    const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
    const env = { ...Object.fromEntries(names.map((name) => [name, proxy.url])), NO_PROXY: "", no_proxy: "" };
    await play(turn("Between us."), { url: listener.url, env });
    await listener.take(2);
    expect(proxy.connections()).toBe(0);
  });

  test("without a token it connects to nobody; a new token counts from the next report on", async () => {
    const listener = await listen();
    await play(turn("Unheard."), { url: listener.url, token: false });
    const steps = [...turn("One."), { token: "another-token-of-some-characters" }, ...turn("Two.", { turn_id: "turn-2" })];
    await play(steps, { url: listener.url });
    const requests = await listener.take(4);
    expect(listener.connections()).toBe(4);
    const tokens = requests.map(({ head }) => /X-Moth-Token: (.*)/.exec(head)?.[1]);
    expect(tokens).toEqual([TOKEN, TOKEN, "another-token-of-some-characters", "another-token-of-some-characters"]);
  });
});

test("the plugin stays small", () => {
  const files = readdirSync(PLUGIN).filter((name) => /\.(py|yaml)$/.test(name));
  const bytes = files.reduce((sum, name) => sum + statSync(join(PLUGIN, name)).size, 0);
  expect(bytes).toBeLessThan(30_000);
});
