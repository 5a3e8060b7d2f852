import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MAX_BODY_BYTES } from "./protocol.ts";
import { dial, sendState, sendTurn } from "./report.ts";

const token = "0123456789abcdef0123456789abcdef";
let home: string;
let servers: Server[];
let sockets: Socket[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "moth-core-"));
  writeFileSync(join(home, "token"), `${token}\n`);
  servers = [];
  sockets = [];
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  rmSync(home, { recursive: true, force: true });
});

function listen(server: Server): Promise<Record<string, string>> {
  servers.push(server);
  server.on("connection", (socket: Socket) => sockets.push(socket.on("error", () => {})));
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () =>
      resolve({ MOTH_HOME: home, MOTH_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
    );
  });
}

interface Heard {
  request: IncomingMessage;
  body: string;
}
async function listenHttp(heard: Heard[]): Promise<Record<string, string>> {
  return await listen(
    createHttpServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      request.on("end", () => {
        heard.push({ request, body });
        response.end("{}");
      });
    }),
  );
}

test("a turn report arrives as one JSON request with the token and the right Host", async () => {
  const heard: Heard[] = [];
  const env = await listenHttp(heard);
  expect(await sendTurn({ text: "**done** 🦋", source: "x", session: "s", label: "moth" }, { env })).toBe(true);
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  const [{ request, body }] = heard as [Heard];
  expect(request.method).toBe("POST");
  expect(request.url).toBe("/api/agent");
  expect(request.headers).toMatchObject({
    host: env["MOTH_URL"]?.slice("http://".length),
    "content-type": "application/json",
    "x-moth-token": token,
  });
  expect(JSON.parse(body)).toEqual({ text: "**done** 🦋", source: "x", session: "s", label: "moth" });
});

test("a state report goes to its own route", async () => {
  const heard: Heard[] = [];
  const env = await listenHttp(heard);
  await sendState({ state: "working", source: "x", session: "s" }, { env });
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  expect(heard[0]?.request.url).toBe("/api/state");
});

test("a new token is used from the next report on", async () => {
  const heard: Heard[] = [];
  const env = await listenHttp(heard);
  writeFileSync(join(home, "token"), "another-token-another-token");
  await sendState({ state: "idle", source: "x" }, { env });
  await vi.waitFor(() => expect(heard[0]?.request.headers["x-moth-token"]).toBe("another-token-another-token"));
});

test.each([
  ["plain", "x".repeat(200_000)],
  ["all escapes", '"\\\n'.repeat(60_000)],
  ["wide characters", "蛾".repeat(100_000)],
  ["emoji", "🦋".repeat(100_000)],
  ["a wide end after a plain start", "x".repeat(60_000) + "\u0001".repeat(60_000)],
])("a reply that is too long (%s) arrives cut, within the server's limit", async (_, text) => {
  const heard: Heard[] = [];
  const env = await listenHttp(heard);
  expect(await sendTurn({ text, source: "x" }, { env })).toBe(true);
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  const body = heard[0]?.body ?? "";
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_BODY_BYTES);
  expect(Buffer.byteLength(body)).toBeGreaterThan(MAX_BODY_BYTES / 4);
  const { text: sent, chars } = JSON.parse(body) as { text: string; chars: number };
  expect(chars).toBe(text.length);
  expect(sent.endsWith("…")).toBe(true);
  expect(text.startsWith(sent.slice(0, -1))).toBe(true);
});

test("a report is sent although its process was held up for longer than it may take", async () => {
  const heard: Heard[] = [];
  const env = await listenHttp(heard);
  const sent = sendTurn({ text: "held up", source: "x" }, { env, timeoutMs: 200 });
  // When the connection has been asked for, and before it is looked at.
  process.nextTick(holdUp, 300);
  expect(await sent).toBe(true);
  await vi.waitFor(() => expect(heard.map(({ body }) => JSON.parse(body) as object)).toEqual([{ text: "held up", source: "x" }]));
});

function holdUp(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("an answer that never comes is not waited for", async () => {
  const env = await listen(createServer(() => {}));
  const start = performance.now();
  expect(await sendTurn({ text: "hi", source: "x" }, { env })).toBe(true);
  expect(performance.now() - start).toBeLessThan(900);
});

test("the report arrives although the sender hangs up at once", async () => {
  let received = "";
  const env = await listen(createServer((socket) => socket.on("data", (data) => (received += data.toString()))));
  await sendTurn({ text: "the end of it", source: "x" }, { env });
  await vi.waitFor(() => expect(received).toContain("the end of it"));
});

test("a server that answers without end does no harm", async () => {
  const env = await listen(
    createServer((socket) => {
      const pour = (): void => void (socket.writable && socket.write(Buffer.alloc(1 << 20), pour));
      pour();
    }),
  );
  expect(await sendTurn({ text: "hi", source: "x" }, { env })).toBe(true);
});

test("a server that takes nothing in is given up after the time allowed", async () => {
  const env = await listen(createServer({ pauseOnConnect: true }, () => {}));
  // More than the system's buffers take, sent as a state report so that nothing is cut.
  const sent = await sendState({ state: "idle", source: "x".repeat(32 << 20) }, { env, timeoutMs: 200 });
  expect(sent).toBe(false);
});

test("with nobody listening it says so and nothing else happens", async () => {
  const env = await listen(createServer());
  await new Promise((resolve) => servers[0]?.close(resolve));
  expect(await sendTurn({ text: "hi", source: "x" }, { env })).toBe(false);
});

test("no proxy in the environment sees a report", async () => {
  const heard: Heard[] = [];
  const proxied: Heard[] = [];
  const env = await listenHttp(heard);
  const proxy = (await listenHttp(proxied))["MOTH_URL"];
  for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"]) vi.stubEnv(name, proxy);
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  await sendTurn({ text: "hi", source: "x" }, { env });
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  expect(proxied).toEqual([]);
});

test.each([
  ["no token file", (env: Record<string, string>) => ({ ...env, MOTH_TOKEN_FILE: join(home, "missing") })],
  [
    "a token that could break a header",
    (env: Record<string, string>) => (writeFileSync(join(home, "token"), "abc\r\nEvil: 1 0123456789"), env),
  ],
  ["an address of another kind", (env: Record<string, string>) => ({ ...env, MOTH_URL: "https://127.0.0.1" })],
  ["a port that cannot be", (env: Record<string, string>) => ({ ...env, MOTH_URL: "http://127.0.0.1:0" })],
])("with %s nothing is sent and nothing is thrown", async (_, change) => {
  const heard: Heard[] = [];
  const env = change(await listenHttp(heard));
  expect(await sendTurn({ text: "hi", source: "x" }, { env })).toBe(false);
  expect(heard).toEqual([]);
});

test("a report that cannot be written as JSON is no reason to throw", async () => {
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  expect(await sendTurn(loop as never, { env: { MOTH_HOME: home } })).toBe(false);
});

test("a connection opened early carries the report; without address or token there is none", async () => {
  const heard: Heard[] = [];
  const env = await listenHttp(heard);
  const line = dial(env);
  expect(await sendState({ source: "x", state: "idle" }, { line: line! })).toBe(true);
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  expect(sockets).toHaveLength(1);
  expect(dial({ ...env, MOTH_URL: "ftp://nowhere" })).toBeUndefined();
  expect(dial({ ...env, MOTH_TOKEN_FILE: join(home, "none") })).toBeUndefined();
});

test("a report that cannot be written closes its connection", async () => {
  const env = await listenHttp([]);
  const line = dial(env)!;
  const circular = { source: "x", state: "idle" as const, self: {} };
  circular.self = circular;
  expect(await sendState(circular, { line })).toBe(false);
  expect(line.socket.destroyed).toBe(true);
});

test("a connection that failed before the report was ready takes none", async () => {
  const env = await listenHttp([]);
  const line = dial(env)!;
  line.socket.destroy();
  expect(await sendState({ source: "x", state: "idle" }, { line })).toBe(false);
});
