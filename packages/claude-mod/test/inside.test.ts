import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

const PROGRAM = join(import.meta.dirname, "../src/main.ts");
const TOKEN = "0123456789abcdef0123456789abcdef";

let home: string;
let moth: Server;
let port: number;
/** What moth was asked: method, path and query, token. */
let heard: string[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "moth inside "));
  mkdirSync(join(home, ".moth"));
  writeFileSync(join(home, ".moth", "token"), TOKEN);
  heard = [];
  moth = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${request.headers["x-moth-token"] as string}`);
    answer(request, response);
  });
  moth.listen(0, "127.0.0.1");
  await once(moth, "listening");
  ({ port } = moth.address() as AddressInfo);
});
afterEach(async () => {
  if (moth.listening) await new Promise((resolve) => moth.close(resolve));
  rmSync(home, { recursive: true });
});

function environment(): NodeJS.ProcessEnv {
  const env = { PATH: process.env["PATH"], HOME: home, USERPROFILE: home, MOTH_URL: `http://127.0.0.1:${port}` };
  const proxy = { HTTP_PROXY: "http://127.0.0.1:9", http_proxy: "http://127.0.0.1:9", NODE_USE_ENV_PROXY: "1" };
  return { ...env, ...proxy, MOTH_ANSWERS: "on" };
}

/** Runs the program as the band does, where a proxy is set that nobody listens at. */
async function ask(input: string): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, ["--conditions=moth-src", PROGRAM], { env: environment() });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [unknown];
  return { code, stdout, stderr };
}

function json(response: ServerResponse, body: unknown): void {
  response.setHeader("Content-Type", "application/json").end(JSON.stringify(body));
}

it("waits for moth's line on a turn of this session, past any proxy", async () => {
  answer = (_request, response) => {
    // The asking alone keeps no process alive.
    setTimeout(json, 300, response, { epoch: "e", next: 2, says: [{ text: "a soft \u001b[31mlanding.\n", quote: "Done." }] });
  };
  const found = await ask(JSON.stringify({ session: "s-1", after: 17 }));
  expect(found).toEqual({ code: 0, stdout: JSON.stringify({ line: "a soft landing." }), stderr: "" });
  expect(heard).toEqual([`GET /api/says?source=claude-code&session=s-1&after=17&wait=20 ${TOKEN}`]);
});

it("says something to moth and hands on its reply", async () => {
  answer = (request, response) => {
    if (request.method === "POST") json(response, { ok: true, chat: 4, epoch: "e" });
    else json(response, { epoch: "e", next: 6, events: [{ id: 5, kind: "say", chat: 4, text: "all quiet." }] });
  };
  expect(await ask(JSON.stringify({ talk: "who is at work?" }))).toEqual({
    code: 0,
    stdout: '{"line":"all quiet."}',
    stderr: "",
  });
});

it("has no line when moth is down, and a sentence for who spoke to it", async () => {
  await new Promise((resolve) => moth.close(resolve));
  expect(await ask(JSON.stringify({ session: "s-1", after: 17 }))).toEqual({ code: 0, stdout: "{}", stderr: "" });
  const { stdout } = await ask(JSON.stringify({ talk: "hello?" }));
  expect(JSON.parse(stdout)).toEqual({ problem: expect.stringContaining("moth is asleep") as string });
});

it("says what became of the last order, and waits for the next one", async () => {
  const bodies: string[] = [];
  answer = (request, response) => {
    request.setEncoding("utf8").on("data", (text: string) => bodies.push(text));
    if (request.method === "POST") request.on("end", () => json(response, { ok: true }));
    else setTimeout(json, 300, response, { id: "o-2", do: "prompt", text: "now the docs" });
  };
  const told = { id: "o-1", taken: false, problem: "It is full." };
  expect(await ask(JSON.stringify({ orders: "s-1", told }))).toEqual({
    code: 0,
    stdout: JSON.stringify({ order: { id: "o-2", do: "prompt", text: "now the docs" } }),
    stderr: "",
  });
  expect(heard).toEqual([
    `POST /api/taken ${TOKEN}`,
    `GET /api/orders?source=claude-code&session=s-1&takes=prompt%2Cabort&for=50 ${TOKEN}`,
  ]);
  expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([told]);
});

it("ends with a Claude Code that was killed, and does not go on waiting for orders", async () => {
  const waits = new Promise<ServerResponse>((resolve) => (answer = (_request, response) => resolve(response)));
  const start = `require("node:child_process").spawn(process.execPath, ["--conditions=moth-src", ${JSON.stringify(PROGRAM)}],
    { stdio: ["pipe", "ignore", "ignore"] }).stdin.end('{"orders":"s-1"}'); setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ["-e", start], { env: environment(), stdio: "ignore" });
  const gone = once(await waits, "close");
  parent.kill("SIGKILL");
  await expect(gone).resolves.toBeDefined();
}, 20_000);

it.each(["", "{", "null"])("says nothing to a question that is none: %j", async (input) => {
  expect(await ask(input)).toEqual({ code: 0, stdout: "", stderr: "" });
});
