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
