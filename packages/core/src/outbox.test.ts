import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createOutbox } from "./outbox.ts";

let home: string;
let server: Server;
const sockets: Socket[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "moth-core-"));
  writeFileSync(join(home, "token"), "0123456789abcdef0123456789abcdef");
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
  rmSync(home, { recursive: true, force: true });
});

async function listen(made: Server): Promise<Record<string, string>> {
  server = made;
  server.on("connection", (socket: Socket) => sockets.push(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { MOTH_HOME: home, MOTH_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test("reports given in one breath carry a seq that tells their order", async () => {
  const heard: { text: string; seq: number }[] = [];
  const env = await listen(
    createHttpServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        heard.push(JSON.parse(body) as { text: string; seq: number });
        response.end("{}");
      });
    }),
  );
  const outbox = createOutbox({ env });
  const texts = ["one", "two", "three", "four", "five", "six"];
  for (const text of texts.slice(0, 5)) outbox.turn({ text, source: "x" });
  // An adapter made anew in the same breath goes on counting.
  createOutbox({ env }).turn({ text: "six", source: "x" });
  await vi.waitFor(() => expect(heard).toHaveLength(6));
  expect(heard.sort((a, b) => a.seq - b.seq).map((report) => report.text)).toEqual(texts);
});

test("giving a report takes none of the agent's time and flush ends in time, whatever the server does", async () => {
  const env = await listen(createServer({ pauseOnConnect: true }, () => {}));
  const outbox = createOutbox({ env, timeoutMs: 60_000 });
  // More than the system's buffers hold: this one cannot leave.
  outbox.state({ state: "idle", source: "x".repeat(32 << 20) });
  const started = performance.now();
  await outbox.flush(50);
  expect(performance.now() - started).toBeLessThan(5000);
});

test("flushing an empty outbox, or one with nobody to hear it, is over at once", async () => {
  const env = await listen(createServer());
  await createOutbox({ env }).flush();
  await new Promise((resolve) => server.close(resolve));
  const outbox = createOutbox({ env });
  outbox.turn({ text: "hi", source: "x" });
  await expect(outbox.flush()).resolves.toBeUndefined();
});

test("a moth that was away hears within a few seconds where a session stands, and no word of what was said", async () => {
  const env = await listen(createHttpServer((_request, response) => response.end("{}")));
  const { port } = server.address() as AddressInfo;
  const outbox = createOutbox({ env });
  const about = { source: "x", session: "s", label: "moth", pid: 7 };
  outbox.state({ ...about, state: "idle" });
  await outbox.flush();
  await new Promise((resolve) => server.close(resolve));
  outbox.state({ ...about, state: "working" });
  outbox.turn({ ...about, text: "SECRET reply", turn: "t1", outcome: "failed" });
  await outbox.flush();
  const heard: { path: string | undefined; body: string }[] = [];
  server = createHttpServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      heard.push({ path: request.url, body });
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  // The state that it is in, and not what was before: a wait that is over would show until its end is told, too.
  await vi.waitFor(() => expect(heard).not.toEqual([]), { timeout: 10_000 });
  expect(heard.map(({ path }) => path)).toEqual(["/api/state"]);
  expect(heard[0]?.body).not.toContain("SECRET");
  expect(JSON.parse(heard[0]!.body)).toMatchObject({
    ...about,
    state: "idle",
    outcome: "failed",
    seq: expect.any(Number) as number,
  });
  // Once it is heard, it is not told again.
  outbox.state({ ...about, state: "gone" });
  await vi.waitFor(() => expect(heard).toHaveLength(2));
  expect(heard[1]?.body).toContain('"gone"');
});
