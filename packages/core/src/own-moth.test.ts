import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { hostname, networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { ask } from "./ask.ts";
import { isOwnMoth, runsHere } from "./own-moth.ts";
import { pipeFile } from "./pipe.ts";
import { sendState, sendTurn } from "./report.ts";

const HERE = { host: "127.0.0.1", port: 4747 };
let home: string;
let env: Record<string, string>;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "moth-own-"));
  mkdirSync(join(home, "run"));
  writeFileSync(join(home, "token"), "0123456789abcdef0123456789abcdef");
  env = { MOTH_HOME: home };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function record(pid: unknown, port = 4747): void {
  writeFileSync(join(home, `run/${port}.json`), JSON.stringify({ pid, port }));
}

/** Somebody who listens, and what they were told. */
async function impostor(): Promise<{ port: number; heard: () => string }> {
  let heard = "";
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      heard += chunk.toString();
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, heard: () => heard };
}

test("whoever listens on moth's port while moth is asleep is told nothing: no report, no question, no token", async () => {
  const { port, heard } = await impostor();
  writeFileSync(join(home, "config.json"), JSON.stringify({ port }));
  expect(await sendTurn({ source: "x", text: "secret" }, { env })).toBe(false);
  expect(await sendState({ source: "x", state: "idle" }, { env })).toBe(false);
  expect(await ask("/api/says", undefined, { env, timeoutMs: 1000 })).toBeUndefined();
  expect(heard()).toBe("");
  // The same, with a moth that says it is there.
  record(process.pid, port);
  expect(await ask("/api/says", undefined, { env, timeoutMs: 5000 })).toEqual({ status: 200, body: {} });
  expect(heard()).toContain("X-Moth-Token");
});

test("a moth is the person's own while the process of its record runs", async () => {
  expect(isOwnMoth(HERE, env)).toBe(false);
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  record(child.pid);
  expect(isOwnMoth(HERE, env)).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isOwnMoth(HERE, env)).toBe(false);
  for (const odd of [0, -1, "1", null, 1.5]) {
    record(odd);
    expect([odd, isOwnMoth(HERE, env)]).toEqual([odd, false]);
  }
  writeFileSync(join(home, "run/4747.json"), "half a rec");
  expect(isOwnMoth(HERE, env)).toBe(false);
});

test.skipIf(process.platform === "win32")("or while its pipe is read, whatever process that is", () => {
  const file = pipeFile(4747, env);
  execFileSync("mkfifo", ["-m", "600", file]);
  expect(isOwnMoth(HERE, env)).toBe(false);
  const reader = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  expect(isOwnMoth(HERE, env)).toBe(true);
  expect(isOwnMoth({ ...HERE, port: 4748 }, env)).toBe(false);
  closeSync(reader);
  expect(isOwnMoth(HERE, env)).toBe(false);
});

test.skipIf(process.getuid?.() !== 0)("a process of another user's in the record is no moth of the person's", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  record(child.pid);
  execFileSync("chmod", ["-R", "a+rX", home]);
  const script = `try { console.log(process.kill(${child.pid}, 0)); } catch (error) { console.log(error.code); }`;
  // What the check stands on: the system tells another user so.
  expect(execFileSync(process.execPath, ["-e", script], { uid: 65_534, gid: 65_534, encoding: "utf8" }).trim()).toBe("EPERM");
});

test("where the person says whom on this machine to talk to, nothing is asked", () => {
  expect(isOwnMoth(HERE, { ...env, MOTH_URL: "http://127.0.0.1:4747" })).toBe(true);
  expect(isOwnMoth(HERE, { ...env, MOTH_TOKEN_FILE: join(home, "other") })).toBe(true);
  expect(isOwnMoth(HERE, { ...env, MOTH_URL: " " })).toBe(false);
});

test("no other machine is the person's own, whoever says so: a repository's .env may, which some harnesses read", async () => {
  for (const host of ["192.0.2.1", "2001:db8::1", "moth.example", "127.0.0.1.moth.example"]) {
    const MOTH_URL = `http://${host.includes(":") ? `[${host}]` : host}:9`;
    expect([host, isOwnMoth({ host, port: 9 }, { ...env, MOTH_URL })]).toEqual([host, false]);
    expect(await sendTurn({ source: "x", text: "secret" }, { env: { ...env, MOTH_URL } })).toBe(false);
    // A folder that came with the repository, settings and all.
    writeFileSync(join(home, "config.json"), JSON.stringify({ host, port: 9 }));
    expect([host, isOwnMoth({ host, port: 9 }, env)]).toEqual([host, false]);
  }
});

test("what runs at a port here says nothing of another machine's port", () => {
  record(process.pid);
  expect(runsHere(HERE, env)).toBe(true);
  for (const host of ["192.0.2.1", "moth.example"]) expect([host, runsHere({ ...HERE, host }, env)]).toEqual([host, false]);
});

test("this machine's own addresses and name are, where the person has moth listen there", () => {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
  for (const host of [...addresses, hostname(), `${hostname().toUpperCase()}.local`]) {
    if (host === "::1" || host.startsWith("127.")) continue;
    expect([host, isOwnMoth({ host, port: 9 }, env)]).toEqual([host, true]);
  }
});
