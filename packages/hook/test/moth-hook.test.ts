/** What the hook program does with stdin, its arguments and waits. What holds of every adapter is in `e2e/contract`. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { buildHook, type Listener, listen, makeHome, request, runHook, SILENT, SOON_MS, TOKEN } from "./run-hook.ts";

const fixtures = join(import.meta.dirname, "../../harnesses/src/claude-code/fixtures");
const fixture = (name: string): string => readFileSync(join(fixtures, `${name}.json`), "utf8");

let program: string;
let home: string;
const listeners: Listener[] = [];

beforeAll(() => {
  program = buildHook();
});
afterAll(() => rmSync(dirname(program), { recursive: true }));
beforeEach(() => {
  home = makeHome();
});
afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.stop()));
  rmSync(home, { recursive: true, force: true });
});

async function server(): Promise<Listener> {
  const listener = await listen();
  listeners.push(listener);
  return listener;
}

function envFor(listener: { port: number }, more: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    USERPROFILE: home,
    MOTH_URL: `http://127.0.0.1:${listener.port}`,
    ...more,
  };
}

const waitsOf = (folder: string): string[] => {
  const path = join(folder, ".moth/run/waits");
  return existsSync(path) ? readdirSync(path) : [];
};

describe("a reply", () => {
  it("reaches moth in one request, with the token, and nothing but what the protocol names", async () => {
    const moth = await server();
    const before = Date.now();
    expect(await runHook({ program, env: envFor(moth, { CLAUDE_PID: "4711" }), input: fixture("stop") })).toEqual(SILENT);
    await vi.waitFor(() => expect(moth.heard[0]).toContain("}"));
    expect(moth.heard).toHaveLength(1);
    const { head, body } = request(moth.heard[0]);
    expect(head).toContain("POST /api/agent HTTP/1.1");
    expect(head).toContain(`X-Moth-Token: ${TOKEN}`);
    const { seq, ...rest } = body;
    expect(rest).toEqual({
      source: "claude-code",
      session: "a77a3351-5aa6-405d-81ac-060e1ba47df8",
      label: "my-app",
      cwd: "/tmp/fx/my-app",
      pid: 4711,
      text: "The tests pass. **Two files** changed.",
      outcome: "done",
      state: "idle",
      turn: expect.any(String),
    });
    expect(seq).toBeGreaterThan(before - 1000);
    expect(seq).toBeLessThanOrEqual(Date.now());
  });

  it("of 5 MB arrives cut to what moth takes", async () => {
    const moth = await server();
    const long = { ...(JSON.parse(fixture("stop")) as object), last_assistant_message: "mäuse ".repeat(900_000) };
    expect(await runHook({ program, env: envFor(moth), input: JSON.stringify(long) })).toEqual(SILENT);
    await vi.waitFor(() => expect(String(request(moth.heard[0]).body["text"]).at(-1)).toBe("…"));
    expect(Buffer.byteLength(moth.heard[0]!)).toBeLessThan(66_000);
  });

  it("is reported although stdin is never closed", async () => {
    const moth = await server();
    expect(await runHook({ program, env: envFor(moth), input: fixture("stop"), open: true })).toEqual(SILENT);
    await vi.waitFor(() => expect(moth.heard[0]).toContain("POST /api/agent"));
  });

  it("is reported although the machine let its program begin late", async () => {
    const moth = await server();
    const late = join(home, "late.cjs");
    writeFileSync(late, "const end = Date.now() + 1000; while (Date.now() < end);");
    const env = envFor(moth, { NODE_OPTIONS: `--require ${JSON.stringify(late)}` });
    const { code, output } = await runHook({ program, env, input: fixture("stop"), open: true });
    expect({ code, output }).toEqual({ code: 0, output: "" });
    await vi.waitFor(() => expect(moth.heard[0]).toContain("The tests pass."));
  });

  it("is reported when stdin is a file", async () => {
    const moth = await server();
    const stdin = openSync(join(fixtures, "stop.json"), "r");
    const child = spawn(process.execPath, [program, "claude-code"], { env: envFor(moth), stdio: [stdin, "ignore", "ignore"] });
    await vi.waitFor(() => expect(child.exitCode).toBe(0), { timeout: SOON_MS });
    await vi.waitFor(() => expect(moth.heard[0]).toContain("POST /api/agent"));
  });
});

describe("whatever comes on stdin", () => {
  const inputs: [string, string | Buffer | undefined, boolean][] = [
    ["nothing, closed", undefined, false],
    ["nothing, open", undefined, true],
    ["white space", " \n", false],
    ["half an object, open", '{"hook_event_name":"Stop"', true],
    ["no JSON", "Stop: done }", false],
    ["no object", "[1,2]", false],
    ["null", "null", false],
    ["binary", Buffer.from([0, 255, 254, 1, 2, 125, 200]), false],
    ["5 MB of braces", "}".repeat(5_000_000), false],
    ["20 MB", `{"a":"${"x".repeat(20_000_000)}"}`, false],
    ["an event moth does not know", '{"hook_event_name":"FooBar","session_id":"s"}', false],
  ];
  it.each(inputs)("%s: ends, silent, and reports nothing", async (_name, input, open) => {
    const moth = await server();
    expect(await runHook({ program, env: envFor(moth), ...(input !== undefined && { input }), open })).toEqual(SILENT);
    expect(moth.heard.join("")).toBe("");
  });

  it("a device or no stdin at all ends at once", async () => {
    const moth = await server();
    const shell = (line: string): ReturnType<typeof spawnSync> =>
      spawnSync("sh", ["-c", line], { env: { ...envFor(moth), NODE: process.execPath, HOOK: program }, timeout: SOON_MS });
    for (const end of ["</dev/null", "<&-", "</dev/null >&- 2>&-", "<&- >&- 2>&-"]) {
      const { status } = shell(`"$NODE" "$HOOK" claude-code ${end}`);
      expect([end, status]).toEqual([end, 0]);
    }
  });
});

describe("however it is called", () => {
  it.each([[[]], [["no-such-harness"]], [["toString"]], [["claude-code", "if-waiting"]]])("%j does nothing", async (args) => {
    const moth = await server();
    expect(await runHook({ program, args, env: envFor(moth), input: fixture("post-tool-bash"), open: true })).toEqual(SILENT);
    expect(moth.heard).toEqual([]);
  });

  it("runs on nothing but Node's own modules", () => {
    const files = [program, join(dirname(program), "moth-hook-program.js")];
    const text = files.map((file) => readFileSync(file, "utf8")).join("\n");
    const required = [...text.matchAll(/require\(['"]([^'"]+)['"]\)/g)].map((match) => match[1]);
    expect(new Set(required)).toEqual(new Set(["child_process", "fs", "net", "os", "path", "vm"].map((name) => `node:${name}`)));
    for (const file of files) execFileSync(process.execPath, ["--check", file]);
  });
});

describe("waits", () => {
  const args = ["claude-code", "if-waiting"];

  it("open with a dialog and close with the tool that ran, and with no other", async () => {
    const moth = await server();
    const env = envFor(moth);
    await runHook({ program, env, input: fixture("permission-bash") });
    await vi.waitFor(() => expect(request(moth.heard[0]).body).toMatchObject({ state: "waiting" }));
    const { wait } = request(moth.heard[0]).body as { wait: { id: string } };
    expect(waitsOf(home)).toHaveLength(1);

    expect(await runHook({ program, args, env, input: fixture("post-tool-edit") })).toEqual(SILENT);
    expect(waitsOf(home)).toHaveLength(1);
    expect(await runHook({ program, args, env, input: fixture("post-tool-bash") })).toEqual(SILENT);
    expect(waitsOf(home)).toEqual([]);
    await vi.waitFor(() => expect(moth.heard.filter((text) => text !== "")).toHaveLength(2));
    expect(request(moth.heard.find((text) => text.includes('"ended"'))).body).toMatchObject({ state: "working", ended: wait.id });
  });

  it("are over when the session's turn is", async () => {
    const moth = await server();
    const env = envFor(moth);
    await runHook({ program, env, input: fixture("permission-bash") });
    await runHook({ program, env, input: fixture("permission-write").replace(/"session_id": ".*"/, '"session_id": "another"') });
    expect(waitsOf(home)).toHaveLength(2);
    await runHook({ program, env, input: fixture("stop") });
    expect(waitsOf(home)).toEqual([expect.stringContaining("another")]);
  });

  it.each([
    ["the tool ran", args, "post-tool-bash"],
    ["the turn ended", ["claude-code"], "stop"],
  ])("are over when %s while there is no moth, and none begins that nobody hears of", async (_, words, event) => {
    const moth = await server();
    await runHook({ program, env: envFor(moth), input: fixture("permission-bash") });
    expect(waitsOf(home)).toHaveLength(1);
    const { MOTH_URL: _url, ...asleep } = envFor(moth);
    const other = fixture("permission-write").replace(/"session_id": ".*"/, '"session_id": "another"');
    expect(await runHook({ program, env: asleep, input: other })).toEqual(SILENT);
    expect(waitsOf(home)).toHaveLength(1);
    expect(await runHook({ program, args: words, env: asleep, input: fixture(event) })).toEqual(SILENT);
    expect(waitsOf(home)).toEqual([]);
  });

  it("are over where a harness says that it waits for a prompt, although its recording is late", async () => {
    const moth = await server();
    const env = envFor(moth);
    const qwen = { program, args: ["qwen"], env };
    const about = { session_id: "s", cwd: home, transcript_path: join(home, "s.jsonl") };
    const asked = {
      ...about,
      hook_event_name: "PermissionRequest",
      tool_name: "run_shell_command",
      tool_input: { command: "x" },
    };
    await runHook({ ...qwen, input: JSON.stringify(asked) });
    expect(waitsOf(home)).toHaveLength(1);
    writeFileSync(about.transcript_path, '{"timestamp":"2026-11-30T07:52:59.261Z","type":"user","provenance":"real_user"}\n');
    const resting = { ...about, hook_event_name: "Notification", notification_type: "idle_prompt" };
    const timestamp = new Date().toISOString();
    await runHook({ ...qwen, input: JSON.stringify({ ...resting, timestamp }) });
    await vi.waitFor(() => expect(moth.heard.filter((text) => text !== "")).toHaveLength(2));
    expect(request(moth.heard.find((text) => text.includes('"idle"'))).body).toMatchObject({
      outcome: "interrupted",
      seq: Date.parse(timestamp),
    });
    expect(waitsOf(home)).toEqual([]);
  });

  it("cost no report when they cannot be noted", async () => {
    const moth = await server();
    writeFileSync(join(home, ".moth/run"), "a file where a folder belongs");
    expect(await runHook({ program, env: envFor(moth), input: fixture("permission-bash") })).toEqual(SILENT);
    await vi.waitFor(() => expect(moth.heard[0]).toContain("POST /api/state"));
  });
});
