import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  ask,
  type AskOptions,
  exchange,
  firstAnswer,
  opened,
  parseAnswer,
  post,
  type RawAnswer,
  requestBytes,
  started,
} from "../test/support.ts";
import { json } from "./answer.ts";
import type { Head, Reply } from "./route.ts";
import { createDoor, DOOR_LIMITS, type DoorLimits } from "./door.ts";

const codeOf = ({ body }: RawAnswer): unknown => (JSON.parse(body) as { error: { code: string } }).error.code;

/** A door before an app of the test's own. */
async function door(reply: (head: Head) => Reply, limits: Partial<DoorLimits> = {}): Promise<{ port: number }> {
  const door = createDoor(reply, { ...DOOR_LIMITS, ...limits });
  await new Promise<void>((resolve) => {
    door.server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => door.close());
  return { port: (door.server.address() as AddressInfo).port };
}

const hello = (): Reply => ({ answer: json({ hello: true }) });

const chat = (text: string, more: AskOptions = {}): AskOptions => ({
  method: "POST",
  path: "/api/chat",
  body: JSON.stringify({ text }),
  ...more,
});

test("every answer forbids framing, sniffing and caching; what a browser shows carries a strict policy", async () => {
  const server = await started();
  for (const path of ["/", "/api/health", "/api/log", "/nothing"]) {
    const { headers } = await ask(server, { path });
    expect(headers).toMatchObject({
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
  }
  const shown = await ask(server, { path: "/" });
  expect(shown.headers["content-security-policy"]).toContain("default-src 'none'");
});

test.each<[string, string | undefined]>([
  ["none", undefined],
  ["an empty one", ""],
  ["one that looks alike", "localhost.evil.example:1"],
  ["another port", "localhost:1"],
  ["one with strange letters", "löcalhost:1"],
  ["one that is no host at all", "a b/c"],
])("a request whose Host is %s is refused", async (_, host) => {
  const answer = await ask(await started(), { headers: { Host: host } });
  expect([answer.status, codeOf(answer)]).toEqual([403, "HOST"]);
});

test("HTTP/1.0 is answered when it names its host, and refused when it does not", async () => {
  const server = await started();
  expect(codeOf(await exchange(server, "GET /api/health HTTP/1.0\r\n\r\n"))).toBe("HOST");
  expect((await exchange(server, `GET /api/health HTTP/1.0\r\nHost: localhost:${server.port}\r\n\r\n`)).status).toBe(200);
});

test("two Host headers are one too many", async () => {
  const server = await started();
  const bytes = `GET /api/health HTTP/1.1\r\nHost: localhost:${server.port}\r\nHost: localhost:${server.port}\r\n\r\n`;
  expect((await exchange(server, bytes)).status).toBe(403);
});

test.each<[string, string | Buffer, number, string]>([
  ["garbage", "hello moth\r\n\r\n", 400, "BAD_REQUEST"],
  ["TLS", Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0]), 400, "BAD_REQUEST"],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "BAD_REQUEST"],
  ["an unknown method", "BREW / HTTP/1.1\r\n\r\n", 400, "BAD_REQUEST"],
  ["a header with a line break in it", "GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", 400, "BAD_REQUEST"],
  ["two lengths", "POST /api/chat HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400, "BAD_REQUEST"],
  [
    "a length and chunks",
    "POST /api/chat HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    400,
    "BAD_REQUEST",
  ],
  ["a head without end", `GET / HTTP/1.1\r\nX: ${"x".repeat(9000)}`, 431, "HEADERS"],
  ["a path without end", `GET /${"x".repeat(9000)}`, 431, "HEADERS"],
  ["CONNECT", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n", 405, "METHOD"],
  ["an upgrade", "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", 400, "UPGRADE"],
  ["an unknown expectation", "POST /api/chat HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nContent-Length: 1\r\n\r\n", 417, "EXPECT"],
  ["an absolute target", "GET http://evil.example/api/health HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403, "HOST"],
])("%s is refused with a reason, not hung up on", async (_, bytes, status, code) => {
  const answer = await exchange(await started(), bytes);
  expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  expect(answer.headers).toMatchObject({ "x-frame-options": "DENY", "cache-control": "no-store" });
});

test("after any of this, the server goes on", async () => {
  const server = await started();
  for (const bytes of [
    "\r\n\r\n\0\0\0",
    "GET",
    "POST /api/chat HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n",
  ]) {
    const socket = opened(server);
    socket.end(bytes);
    await new Promise((resolve) => socket.resume().on("close", resolve));
  }
  expect((await ask(server)).status).toBe(200);
});

test("a body of 64 KB is read, a byte more is not", async () => {
  const server = await started();
  const room = 64 * 1024 - JSON.stringify({ text: "" }).length;
  expect((await ask(server, chat("x".repeat(room)))).status).toBe(200);
  const answer = await ask(server, chat("x".repeat(room + 1)));
  expect([answer.status, codeOf(answer)]).toEqual([413, "TOO_LARGE"]);
});

test("chunks are read, and counted", async () => {
  const server = await started();
  const head = requestBytes(
    server,
    chat("", { body: "", headers: { "Content-Length": undefined, "Transfer-Encoding": "chunked" } }),
  );
  const chunked = (body: string): string => `${head}${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  expect((await exchange(server, chunked(JSON.stringify({ text: "hello" })))).status).toBe(200);
  const large = await exchange(server, chunked(JSON.stringify({ text: "x".repeat(70_000) })));
  expect([large.status, codeOf(large)]).toEqual([413, "TOO_LARGE"]);
});

test("a sender of 5 MB reads why it was refused, on a connection that goes on", async () => {
  const server = await started();
  const socket = opened(server);
  socket.write(requestBytes(server, chat("x".repeat(5_000_000))));
  expect((await firstAnswer(socket)).status).toBe(413);
  socket.write(requestBytes(server));
  expect((await firstAnswer(socket)).status).toBe(200);
});

test("letters that are cut between two packets arrive whole", async () => {
  const server = await started();
  const bytes = Buffer.from(requestBytes(server, chat("蛾の灯り🦋")));
  const socket = opened(server);
  for (const byte of bytes) socket.write(Buffer.of(byte));
  expect((await firstAnswer(socket)).status).toBe(200);
  const { body } = await ask(server, { path: "/api/log" });
  expect(body).toContain("蛾の灯り🦋");
});

test("requests sent in one go are answered in order", async () => {
  const server = await started();
  const socket = opened(server);
  socket.write([chat("one"), { path: "/nothing" }, chat("two"), {}].map((options) => requestBytes(server, options)).join(""));
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await vi.waitFor(() =>
    expect([...text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual(["200", "404", "200", "200"]),
  );
  const { body } = await ask(server, { path: "/api/log" });
  expect([...body.matchAll(/"kind":"chat","text":"(\w+)"/g)].map(([, word]) => word)).toEqual(["one", "two"]);
});

test("a report whose sender hangs up at once is heard all the same", async () => {
  const server = await started();
  for (let i = 0; i < 20; i++) {
    const socket = opened(server);
    socket.on("finish", () => socket.destroy());
    socket.end(requestBytes(server, chat(`number ${i}`)));
  }
  await vi.waitFor(async () => {
    const { body } = await ask(server, { path: "/api/log" });
    expect(body.match(/"kind":"chat"/g)).toHaveLength(20);
  });
});

test("a sender who goes in the middle of its body is forgotten", async () => {
  const server = await started();
  const socket = opened(server);
  socket.write(requestBytes(server, chat("never", { headers: { "Content-Length": "500" } })));
  await new Promise((resolve) => setImmediate(resolve));
  socket.destroy();
  expect((await ask(server, chat("hello"))).status).toBe(200);
  expect((await ask(server, { path: "/api/log" })).body).not.toContain("never");
});

test.each<[string, (server: { port: number }) => string]>([
  ["nothing", () => ""],
  ["half a head", () => "GET /api/health HTTP/1.1\r\nHost: "],
  ["half a body", (server) => requestBytes(server, chat("hello", { headers: { "Content-Length": "500" } }))],
])("whoever sends %s and then waits is cut off with a reason", async (_, bytes) => {
  const server = await door(() => ({ onBody: () => json({}), onTooLarge: () => json({}) }), { requestMs: 200 });
  const answer = await exchange(server, bytes(server));
  expect([answer.status, codeOf(answer)]).toEqual([408, "TIMEOUT"]);
});

test("a client that sends one byte a second is cut off after five", async () => {
  const server = await started();
  const socket = opened(server);
  const began = performance.now();
  const bytes = requestBytes(server, chat("hello"));
  let at = 0;
  const drip = setInterval(() => socket.write(bytes[at++] ?? "x"), 1000);
  onTestFinished(() => clearInterval(drip));
  const answer = await firstAnswer(socket);
  expect([answer.status, codeOf(answer)]).toEqual([408, "TIMEOUT"]);
  expect(performance.now() - began).toBeGreaterThan(4500);
  expect(performance.now() - began).toBeLessThan(8000);
});

test("more connections than are served are told so", async () => {
  const server = await door(hello, { connections: 3 });
  const sockets = Array.from({ length: 3 }, () => opened(server));
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.on("connect", resolve))));
  const answer = await ask(server);
  expect([answer.status, codeOf(answer), answer.headers["connection"]]).toEqual([429, "BUSY", "close"]);
  for (const socket of sockets) socket.destroy();
  await vi.waitFor(async () => expect((await ask(server)).status).toBe(200));
});

test("a mistake of moth's own is a 500 that tells nothing of the request, and a warning with the stack", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  const broken = await door((head) => {
    if (head.method === "GET") throw new Error("broken");
    if (head.method === "DELETE") return { answer: Promise.reject(new Error("broken later")) };
    return { onBody: () => JSON.parse("{") as never, onTooLarge: () => json({}) };
  });
  for (const method of ["GET", "DELETE", "POST"]) {
    const answer = await ask(broken, { method });
    expect([answer.status, codeOf(answer)]).toEqual([500, "INTERNAL"]);
  }
  expect(warned).toHaveBeenCalledTimes(3);
});

test("a stream sends what comes, and is let go when its reader goes", async () => {
  const server = await started();
  const socket = opened(server);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  socket.write(requestBytes(server, { path: "/api/events" }));
  await vi.waitFor(() => expect(text).toContain("event: epoch"));
  expect(parseAnswer(text)).toMatchObject({
    status: 200,
    headers: { "content-type": "text/event-stream; charset=utf-8", "x-frame-options": "DENY" },
  });
  await post(server, "/api/chat", { text: "hello stream" });
  await vi.waitFor(() => expect(text).toContain("hello stream"));
  socket.destroy();
  expect((await post(server, "/api/chat", { text: "still there" })).status).toBe(200);
});

test("nonsense in the middle of a stream ends it without another answer in it", async () => {
  const server = await started();
  const socket = opened(server);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  socket.write(requestBytes(server, { path: "/api/events" }));
  await vi.waitFor(() => expect(text).toContain("event: epoch"));
  socket.write("nonsense\r\n\r\n");
  await new Promise((resolve) => socket.on("close", resolve));
  expect(text).not.toContain("BAD_REQUEST");
});

test("a reader that never reads is cut off, and takes no memory meanwhile", async () => {
  const server = await started();
  const socket = opened(server);
  socket.pause();
  socket.write(requestBytes(server, { path: "/api/events" }));
  const isClosed = new Promise((resolve) => socket.on("close", resolve));
  const before = process.memoryUsage().rss;
  const line = "x".repeat(60_000);
  // 24 MB fill what the system holds for a reader; a thousand events more, and it is given up.
  for (let sent = 0; sent < 1600; sent += 100) {
    const lines = Array.from({ length: 100 }, (_, i) => chat(`${sent + i} ${sent < 400 ? line : ""}`));
    await Promise.all(lines.map((options) => ask(server, options)));
  }
  socket.resume();
  await isClosed;
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});
