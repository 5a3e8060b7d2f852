import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { WatchedSession } from "../types.ts";
import { conclude, readStatus, watchDaemons } from "./daemon-watch.ts";

const HELPER = "019a7b00-2222-7aaa-8bbb-000000000002";
const session = (more: Partial<WatchedSession> = {}): WatchedSession => ({
  session: "s",
  state: "working",
  since: 0,
  seq: 1,
  background: false,
  ...more,
});
const waiting = (id: string): WatchedSession =>
  session({ state: "waiting", wait: { id, kind: "permission", answerable: false } });
const status = (threadId: string, type: string, activeFlags?: string[]): object => ({
  method: "thread/status/changed",
  params: { threadId, status: { type, ...(activeFlags && { activeFlags }) } },
  emittedAtMs: 5,
});

/** What a server sends: a frame that is not masked. */
function frame(text: string, first = 0x81): Buffer {
  const body = Buffer.from(text);
  const head =
    body.length < 126 ? Buffer.from([first, body.length]) : Buffer.from([first, 126, body.length >> 8, body.length & 255]);
  return Buffer.concat([head, body]);
}

describe("what a message tells", () => {
  it("is the status of a thread, and that one was closed", () => {
    expect(readStatus(status("t", "active", ["waitingOnApproval"]))).toEqual({ thread: "t", status: "active", waits: true });
    expect(readStatus(status("t", "active", []))).toEqual({ thread: "t", status: "active", waits: false });
    expect(readStatus(status("t", "idle"))).toEqual({ thread: "t", status: "idle", waits: false });
    expect(readStatus({ method: "thread/closed", params: { threadId: "t" } })).toEqual({
      thread: "t",
      status: "notLoaded",
      waits: false,
    });
  });

  it.each([
    null,
    7,
    {},
    { method: "thread/started", params: { threadId: "t" } },
    { method: "thread/status/changed", params: {} },
    { ...status("t", "idle"), id: 3 },
  ])("is nothing in others: %j", (message) => {
    expect(readStatus(message)).toBeUndefined();
  });
});

describe("what a status comes to", () => {
  const active = { thread: "s", status: "active", waits: false };

  it("a dialog that was open and is not: the wait is over, also that of a subagent", () => {
    const report = { session: "s", seq: 9, state: "working" };
    expect(conclude(active, true, [waiting("w")], 9)).toEqual({ ...report, ended: "w" });
    const helpers = waiting(`${HELPER}.w`);
    expect(conclude({ ...active, thread: HELPER }, true, [helpers], 9)).toEqual({ ...report, ended: `${HELPER}.w` });
    expect(conclude(active, true, [helpers], 9)).toBeUndefined();
  });

  it("a turn that begins is no dialog that ends", () => {
    expect(conclude(active, false, [waiting("w")], 9)).toBeUndefined();
  });

  it("a failed turn, and a session that is no longer held", () => {
    expect(conclude({ ...active, status: "systemError" }, false, [session()], 9)).toEqual({
      session: "s",
      seq: 9,
      state: "idle",
      outcome: "failed",
    });
    expect(conclude({ ...active, status: "systemError" }, false, [session({ state: "idle" })], 9)).toBeUndefined();
    expect(conclude({ ...active, status: "notLoaded" }, false, [session({ state: "idle" })], 9)).toEqual({
      session: "s",
      seq: 9,
      state: "gone",
    });
  });

  it("nothing of sessions that moth has not heard of", () => {
    expect(conclude({ ...active, status: "notLoaded" }, false, [session()].slice(1), 9)).toBeUndefined();
  });
});

describe.skipIf(process.platform === "win32")("the daemon's socket", () => {
  let home: string;
  let server: Server;
  let clients: Socket[];
  let asked: string;

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), "moth-d-"));
    mkdirSync(join(home, "app-server-control"));
    clients = [];
    asked = "";
    server = createServer((client) => {
      clients.push(client);
      client.on("error", () => {});
      client.once("data", (hello) => {
        const key = /Sec-WebSocket-Key: (.*)\r\n/.exec(hello.toString())?.[1] ?? "";
        const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
        client.write(
          `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
        );
        client.on("data", (data: Buffer) => {
          asked += data.toString("latin1");
          if (asked.includes('"initialize"')) client.write(frame('{"id":1,"result":{}}'));
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(join(home, "app-server-control", "app-server-control.sock"), resolve));
  });
  afterEach(async () => {
    for (const client of clients) client.destroy();
    await new Promise((resolve) => server.close(resolve));
    rmSync(home, { recursive: true });
  });

  it("is listened to while there are sessions: moth says hello, subscribes to nothing, and hears in pieces, too", async () => {
    let sessions = [waiting("w")];
    const heard: object[] = [];
    let now = 0;
    const host = { env: {}, now: () => now, sessions: () => sessions, report: (report: object) => heard.push(report) };
    const daemons = watchDaemons(host, () => [home]);
    daemons.look();
    await vi.waitFor(() => expect(asked).toContain("initialized"));
    const [client] = clients;
    const told = frame(JSON.stringify(status("s", "active", ["waitingOnApproval"])));
    client?.write(told.subarray(0, 10));
    client?.write(
      Buffer.concat([told.subarray(10), frame("x", 0x89), frame('{"method":"thread/clo', 0x01), frame('sed"}', 0x80)]),
    );
    client?.write(frame(JSON.stringify({ id: 7, ...status("s", "idle") })));
    client?.write(frame(JSON.stringify(status("s", "active", []))));
    await vi.waitFor(() => expect(heard).toEqual([{ session: "s", seq: 0, state: "working", ended: "w" }]));
    expect(asked).not.toMatch(/thread\/(?!loaded\/list)|"id":7|error/);

    // It comes back when the daemon was away, and hangs up when nothing is left to hear of.
    client?.destroy();
    now = 5000;
    await vi.waitFor(() => {
      daemons.look();
      now += 2000;
      expect(clients.length).toBeGreaterThan(1);
    });
    sessions = [];
    daemons.look();
    await vi.waitFor(() => expect(clients.every((one) => one.destroyed)).toBe(true));
    daemons.stop();
  });

  it("that is no more has taken its sessions with it, but for those that have a process of their own", async () => {
    const sessions = [waiting("w"), session({ session: "own", pid: 7 }), session({ session: "elsewhere" })];
    const heard: object[] = [];
    let now = 0;
    const host = { env: {}, now: () => now, sessions: () => sessions, report: (report: object) => heard.push(report) };
    const daemons = watchDaemons(host, () => [home]);
    daemons.look();
    await vi.waitFor(() => expect(asked).toContain("thread/loaded/list"));
    clients[0]?.write(frame(JSON.stringify({ id: 2, result: { data: ["s", "own"] } })));
    clients[0]?.write(frame(JSON.stringify(status("s", "active", ["waitingOnApproval"]))));
    clients[0]?.destroy();
    await new Promise((resolve) => server.close(resolve));
    await vi.waitFor(() => {
      now += 2000;
      daemons.look();
      expect(heard).toEqual([{ session: "s", seq: now, state: "gone" }]);
    });
    daemons.stop();
  });

  it("that says something else is left alone", async () => {
    server.removeAllListeners("connection");
    let count = 0;
    server.on("connection", (client: Socket) => {
      count++;
      client.on("error", () => {}).resume();
      client.write("HTTP/1.1 400 Bad Request\r\n\r\n");
      clients.push(client);
    });
    const heard: object[] = [];
    const host = { env: {}, now: () => 0, sessions: () => [session()], report: (report: object) => heard.push(report) };
    const daemons = watchDaemons(host, () => [home, "/nowhere"]);
    daemons.look();
    await vi.waitFor(() => expect(count).toBe(1));
    await vi.waitFor(() => expect(clients.every((one) => one.destroyed)).toBe(true));
    daemons.stop();
    expect(heard).toEqual([]);
  });
});
