import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ask } from "./ask.ts";

interface Stranger {
  env: Record<string, string>;
  received: () => string;
  sockets: Socket[];
}

/** Something at moth's address that answers in its own way. */
async function stranger(answer: (socket: Socket) => void): Promise<Stranger> {
  const home = mkdtempSync(join(tmpdir(), "moth-ask-"));
  writeFileSync(join(home, "token"), "0123456789abcdef0123456789abcdef");
  const sockets: Socket[] = [];
  let received = "";
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    socket.on("data", (data) => (received += data.toString()));
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(home, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  return { env: { MOTH_HOME: home, MOTH_URL: `http://127.0.0.1:${port}` }, received: () => received, sockets };
}

test("an answer is its status and its JSON", async () => {
  const { env, received } = await stranger((socket) =>
    socket.end('HTTP/1.1 401 Unauthorized\r\nA: b\r\n\r\n{"error":{"code":"TOKEN"}}'),
  );
  expect(await ask("/api/chat", { text: "häuser" }, { env, timeoutMs: 5000 })).toEqual({
    status: 401,
    body: { error: { code: "TOKEN" } },
  });
  expect(received()).toContain("POST /api/chat HTTP/1.1\r\n");
  expect(received()).toContain("Content-Length: 18\r\n");
});

test("an answer that came while the process was held up for longer than it may take is read", async () => {
  const { env } = await stranger((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n{"ok":true}'));
  const answered = ask("/", undefined, { env, timeoutMs: 400 });
  process.nextTick(() => {
    const end = performance.now() + 500;
    while (performance.now() < end);
  });
  expect(await answered).toEqual({ status: 200, body: { ok: true } });
});

test.each<[string, (socket: Socket) => void]>([
  ["an answer that is no JSON", (socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n<html>")],
  ["an answer that is no HTTP", (socket) => socket.end("SSH-2.0-x\r\n")],
  ["an answer that is cut off", (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-")],
  ["a connection that breaks", (socket) => socket.resetAndDestroy()],
  ["no answer at all", () => {}],
])("%s counts as none", async (_what, answer) => {
  const { env } = await stranger(answer);
  expect(await ask("/", undefined, { env, timeoutMs: 200 })).toBeUndefined();
});

test("an answer without end is cut off", async () => {
  const { env, sockets } = await stranger((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    const more = (): void => {
      while (!socket.destroyed && socket.write("x".repeat(65_536)));
      if (!socket.destroyed) socket.once("drain", more);
    };
    more();
  });
  expect(await ask("/", undefined, { env, timeoutMs: 10_000 })).toBeUndefined();
  await vi.waitFor(() => expect(sockets[0]?.destroyed).toBe(true));
});

test("whoever asks can end it, before and meanwhile", async () => {
  const { env } = await stranger(() => {});
  const leaving = new AbortController();
  const asked = ask("/", undefined, { env, timeoutMs: 60_000, signal: leaving.signal });
  leaving.abort();
  expect(await asked).toBeUndefined();
  expect(await ask("/", undefined, { env, timeoutMs: 60_000, signal: leaving.signal })).toBeUndefined();
});

test("without a token nothing is asked", async () => {
  const { env, received } = await stranger(() => {});
  expect(
    await ask("/", undefined, { env: { ...env, MOTH_HOME: join(env["MOTH_HOME"]!, "none") }, timeoutMs: 1000 }),
  ).toBeUndefined();
  expect(received()).toBe("");
});
