import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { isOwnMoth } from "@moth-companion/core/own-moth";
import { pipeFile } from "@moth-companion/core/pipe";
import { sendState, sendTurn } from "@moth-companion/core/report";
import type { LogAnswer, SaysAnswer, SessionsAnswer } from "@moth-companion/core/protocol";
import { readRunRecords } from "@moth-companion/core/run-records";
import type { Harness } from "@moth-companion/harnesses";
import { expect, onTestFinished, test, vi } from "vitest";
import { ask, get, opened, post, requestBytes, started, tempHome } from "../test/support.ts";
import { systemClock } from "./clock.ts";
import { lastHeard } from "./heard.ts";
import { startServer } from "./server.ts";

/** What a first turn may take where all is loaded anew, on a machine that does other things as well. */
const BUSY_MS = 10_000;

test("a turn sent by the report client reaches the log, the roster and the says", async () => {
  const home = tempHome();
  const server = await started({ env: { MOTH_HOME: home } });
  const env = { MOTH_HOME: home, MOTH_URL: server.url };
  const origin = { source: "pi", session: "0123456789", label: "moth-repo", pid: process.pid };
  expect(await sendState({ ...origin, state: "working", seq: 1 }, { env })).toBe(true);
  expect(await sendTurn({ ...origin, text: "**Done.** All good.", turn: "t1", seq: 2 }, { env })).toBe(true);
  await vi.waitFor(
    async () => expect((await get<SaysAnswer>(server, "/api/says?source=pi&session=0123456789")).says).toHaveLength(1),
    BUSY_MS,
  );
  const { events } = await get<LogAnswer>(server, "/api/log");
  expect(events.map(({ kind }) => kind)).toEqual(["state", "state", "card", "say"]);
  expect(events[2]).toMatchObject({ text: "**Done.** All good.", label: "moth-repo", took: expect.any(Number) });
  const { sessions } = await get<SessionsAnswer>(server, "/api/sessions");
  expect(sessions).toMatchObject([{ source: "pi", label: "moth-repo", state: "idle", outcome: "done", active: true }]);
});

test("hundreds of reports at once all arrive", async () => {
  const home = tempHome();
  const server = await started({ env: { MOTH_HOME: home } });
  const env = { MOTH_HOME: home, MOTH_URL: server.url };
  const sent = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      sendTurn({ source: "pi", session: `s${i}`, text: `Reply ${i}` }, { env, timeoutMs: 10_000 }),
    ),
  );
  expect(sent.every(Boolean)).toBe(true);
  await vi.waitFor(async () => {
    const { events } = await get<LogAnswer>(server, "/api/log");
    expect(events.filter(({ kind }) => kind === "card")).toHaveLength(200);
  }, BUSY_MS);
});

test("a long poll is answered when something happens", async () => {
  const server = await started();
  const { next, epoch } = await get<LogAnswer>(server, "/api/log");
  const poll = get<LogAnswer>(server, `/api/log?since=${next}&epoch=${epoch}&wait=20`);
  await post(server, "/api/chat", { text: "hello" });
  expect((await poll).events[0]).toMatchObject({ kind: "chat", text: "hello" });
});

test("a run folder that somebody clears is filled again, and tidy at the end", async () => {
  const home = tempHome();
  const env = { MOTH_HOME: home };
  const clock = { ...systemClock, after: (ms: number, fn: () => void) => systemClock.after(Math.min(ms, 50), fn) };
  const server = await started({ env, clock });
  const at = { host: "127.0.0.1", port: server.port };
  rmSync(join(home, "run"), { recursive: true });
  expect(isOwnMoth(at, env)).toBe(false);
  await vi.waitFor(() => expect(isOwnMoth(at, env)).toBe(true), BUSY_MS);
  writeFileSync(join(home, "config.json"), JSON.stringify({ port: server.port }));
  if (process.platform !== "win32") {
    await vi.waitFor(() => expect(existsSync(pipeFile(server.port, env))).toBe(true), BUSY_MS);
    rmSync(pipeFile(server.port, env));
    await vi.waitFor(() => expect(existsSync(pipeFile(server.port, env))).toBe(true), BUSY_MS);
  }
  expect(await sendTurn({ source: "pi", session: "s", text: "Hello" }, { env })).toBe(true);
  await vi.waitFor(async () => {
    const { events } = await get<LogAnswer>(server, "/api/log");
    expect(events.filter(({ kind }) => kind === "card")).toHaveLength(1);
  }, BUSY_MS);
  await server.stop();
  expect(readRunRecords(env)).toEqual([]);
  expect(existsSync(pipeFile(server.port, env))).toBe(false);
});

test("a running server has a record and a token, and takes the record with it", async () => {
  const env = { MOTH_HOME: tempHome() };
  const server = await started({ env });
  expect(readRunRecords(env)).toEqual([
    { pid: process.pid, host: "127.0.0.1", port: server.port, version: "1.2.3", started: expect.any(Number) },
  ]);
  expect(readFileSync(join(env.MOTH_HOME, "token"), "utf8").trim()).toBe(server.token);
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  await post(server, "/api/state", { source: "pi", state: "working" });
  await server.stop();
  expect(readRunRecords(env)).toEqual([]);
  expect(readdirSync(join(env.MOTH_HOME, "run"))).toEqual(["heard.json"]);
  expect(lastHeard(env)).toEqual({ pi: expect.any(Number) });
});

test("a port that another moth holds is refused by its name", async () => {
  const { port } = await started();
  await expect(startServer({ version: "2.0.0", port, env: { MOTH_HOME: tempHome() }, harnesses: [] })).rejects.toMatchObject({
    code: "PORT_TAKEN",
    message: expect.stringContaining(`127.0.0.1:${port} is taken by another moth (version 1.2.3, pid ${process.pid})`),
  });
});

test("a port that something else holds is refused with what answered there", async () => {
  const other = createServer(
    (socket) => void socket.once("data", () => socket.end("HTTP/1.1 404 Not Found\r\nServer: nginx\r\n\r\n")),
  );
  await new Promise<void>((resolve) => {
    other.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  await expect(startServer({ version: "1", port, env: { MOTH_HOME: tempHome() }, harnesses: [] })).rejects.toMatchObject({
    code: "PORT_TAKEN",
    message: expect.stringContaining("an HTTP server (it answered 404, Server: nginx)"),
  });
});

test.each([
  [{ port: -1 }, "PORT_INVALID"],
  [{ port: 65_536 }, "PORT_INVALID"],
  [{ port: 1.5 }, "PORT_INVALID"],
  [{ host: "" }, "HOST_INVALID"],
  [{ host: "http://localhost" }, "HOST_INVALID"],
  [{ host: "192.0.2.1" }, "HOST_INVALID"],
])("a server cannot start with %j", async (options, code) => {
  const home = tempHome();
  await expect(startServer({ version: "1", port: 0, env: { MOTH_HOME: home }, harnesses: [], ...options })).rejects.toMatchObject(
    { code },
  );
  expect(existsSync(join(home, "run"))).toBe(false);
});

test("a server whose run record cannot be written does not start", async () => {
  const home = tempHome();
  writeFileSync(join(home, "run"), "");
  await expect(startServer({ version: "1", port: 0, env: { MOTH_HOME: home }, harnesses: [] })).rejects.toMatchObject({
    code: "HOME",
  });
});

test("stopping ends streams, polls and idle connections within two seconds, however often it is asked", async () => {
  const server = await started();
  const sockets = ["/api/events", "/api/log?wait=60", "/api/health"].map((path) => {
    const socket = opened(server);
    socket.write(requestBytes(server, { path }));
    return socket;
  });
  sockets.push(opened(server));
  await Promise.all(sockets.slice(0, 1).map((socket) => new Promise((resolve) => socket.once("data", resolve))));
  const closed = Promise.all(sockets.map((socket) => new Promise((resolve) => socket.resume().on("close", resolve))));
  const began = performance.now();
  await Promise.all([server.stop(), server.stop()]);
  await closed;
  expect(performance.now() - began).toBeLessThan(2000);
  await expect(ask(server)).rejects.toThrow(/hung up/);
});

test("after a restart, a reader of the old log gets the new one from its start", async () => {
  const env = { MOTH_HOME: tempHome() };
  const first = await started({ env });
  await post(first, "/api/chat", { text: "before" });
  const { epoch, next } = await get<LogAnswer>(first, "/api/log");
  await first.stop();
  const second = await started({ env, port: first.port });
  await post(second, "/api/chat", { text: "after" });
  const answer = await get<LogAnswer>(second, `/api/log?since=${next}&epoch=${epoch}`);
  expect(answer.epoch).not.toBe(epoch);
  expect(answer.events[0]).toMatchObject({ id: 0, text: "after" });
  expect(second.token).toBe(first.token);
});

test("the watch of a harness reports states, and is stopped with the server", async () => {
  const stop = vi.fn<() => void>();
  const harness = {
    id: "pi",
    startWatch: (host) => {
      host.report({ session: "s1", state: "working", seq: 5 });
      return { stop };
    },
  } as Partial<Harness> as Harness;
  const server = await started({ harnesses: [harness] });
  expect((await get<SessionsAnswer>(server, "/api/sessions")).sessions).toMatchObject([
    { source: "pi", session: "s1", state: "working" },
  ]);
  await server.stop();
  expect(stop).toHaveBeenCalledOnce();
});

test("with the built-in voice, a failure is answered with the failing fact as quote", async () => {
  const home = tempHome();
  const server = await startServer({
    version: "1",
    port: 0,
    env: { MOTH_HOME: home },
    harnesses: [],
    batch: { batchWindow: 0 },
    random: () => 0.5,
  });
  onTestFinished(() => server.stop());
  await post(server, "/api/agent", {
    source: "pi",
    session: "s1",
    label: "moth",
    text: "I ran the suite. 3 tests failed in auth.test.ts.",
  });
  await vi.waitFor(async () => expect((await get<SaysAnswer>(server, "/api/says")).says).toHaveLength(1));
  const [say] = (await get<SaysAnswer>(server, "/api/says")).says;
  expect(say?.text).not.toBe("");
  expect(say?.quote).toContain("3 tests failed in auth.test.ts");
});
