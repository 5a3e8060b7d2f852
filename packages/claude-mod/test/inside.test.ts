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

/** Runs the program as the band does, where a proxy is set that nobody listens at. */
async function ask(input: string): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const env = { PATH: process.env["PATH"], HOME: home, USERPROFILE: home, MOTH_URL: `http://127.0.0.1:${port}` };
  const proxy = { HTTP_PROXY: "http://127.0.0.1:9", http_proxy: "http://127.0.0.1:9", NODE_USE_ENV_PROXY: "1" };
  const child = spawn(process.execPath, ["--conditions=moth-src", PROGRAM], { env: { ...env, ...proxy } });
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

it.each(["", "{", "null"])("says nothing to a question that is none: %j", async (input) => {
  expect(await ask(input)).toEqual({ code: 0, stdout: "", stderr: "" });
});
