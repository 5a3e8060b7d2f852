import { execFileSync } from "node:child_process";
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { LogAnswer, SessionsAnswer } from "@moth-companion/core/protocol";
import { openPipe, pipeFile, writePipe } from "@moth-companion/core/pipe";
import { sendState, sendTurn } from "@moth-companion/core/report";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { get, started, tempHome } from "../test/support.ts";
import type { RunningServer } from "./server.ts";

type Env = Record<string, string>;

/** The writing end, as a hook opens it. */
function writer(env: Env, { port }: { port: number }): number | undefined {
  const pipe = openPipe({ ...env, MOTH_URL: `http://127.0.0.1:${port}` });
  if (pipe !== undefined) onTestFinished(() => closeSync(pipe));
  return pipe;
}
/** A server that was. */
async function stopped(env: Env): Promise<{ port: number }> {
  const server = await started({ env });
  await server.stop();
  return server;
}
async function heard(server: RunningServer): Promise<string[]> {
  const { events } = await get<LogAnswer>(server, "/api/log");
  return events.flatMap((event) => (event.kind === "card" ? event.text : []));
}
const turn = (text: string, session = "s"): { source: string; session: string; text: string } => ({
  source: "pi",
  session,
  text,
});

describe.skipIf(process.platform === "win32")("the pipe", () => {
  test("reports through the pipe are taken as posted ones are: in the log, the roster, and a repeat once", async () => {
    const env = { MOTH_HOME: tempHome() };
    const server = await started({ env });
    // Without a token the port takes nothing.
    const way = { env: { ...env, MOTH_URL: server.url, MOTH_TOKEN_FILE: join(env.MOTH_HOME, "none") } };
    const whole = "mäuse 🦋\n".repeat(1000);
    expect(await sendState({ source: "pi", session: "s", label: "moth", state: "working", pid: process.pid, seq: 1 }, way)).toBe(
      true,
    );
    expect(await sendTurn({ ...turn(whole), turn: "t", seq: 2 }, way)).toBe(true);
    expect(await sendTurn({ ...turn(whole), turn: "t", seq: 2 }, way)).toBe(true);
    expect(await sendTurn({ ...turn("next"), turn: "u", seq: 3 }, way)).toBe(true);
    await vi.waitFor(async () => expect(await heard(server)).toHaveLength(2), 10_000);
    expect((await heard(server)).map((text) => text.trim())).toEqual([whole.trim(), "next"]);
    const { sessions } = await get<SessionsAnswer>(server, "/api/sessions");
    expect(sessions).toMatchObject([{ source: "pi", session: "s", label: "moth", state: "idle", outcome: "done" }]);
  });

  test("hundreds of writers at once are all heard, each whole", async () => {
    const env = { MOTH_HOME: tempHome() };
    const server = await started({ env });
    const script = `const { writeSync, openSync, constants } = require("node:fs");
    const pipe = openSync(${JSON.stringify(pipeFile(server.port, env))}, constants.O_WRONLY | constants.O_NONBLOCK);
    const piece = (at, text) => "k" + process.argv[1] + " " + at + "/2 " + text + "\\n";
    const report = "agent " + JSON.stringify({ source: "pi", session: "s" + process.argv[1], text: "x".repeat(600) + process.argv[1] });
    for (const at of [0, 1, 2]) writeSync(pipe, piece(at, report.slice(at * 250, at === 2 ? undefined : (at + 1) * 250)));`;
    const { spawn } = await import("node:child_process");
    const children = Array.from({ length: 8 }, (_, i) =>
      spawn(process.execPath, ["-e", script, String(i)], { stdio: "inherit" }),
    );
    const pipe = writer(env, server)!;
    for (let i = 8; i < 300; i++) {
      expect(writePipe(pipe, `agent ${JSON.stringify(turn(`${"x".repeat(600)}${i}`, `s${i}`))}`)).toBe(true);
      // oxlint-disable-next-line no-await-in-loop -- the server reads in between
      if (i % 20 === 0) await new Promise(setImmediate);
    }
    await vi.waitFor(async () => expect((await heard(server)).length).toBe(300), 10_000);
    expect(new Set(await heard(server)).size).toBe(300);
    await vi.waitFor(() => expect(children.every(({ exitCode }) => exitCode === 0)).toBe(true));
  });

  test("what the pipe has no room for comes by the port, once", async () => {
    const env = { MOTH_HOME: tempHome() };
    const server = await started({ env });
    const pipe = writer(env, server)!;
    while (writePipe(pipe, `fill ${"x".repeat(3000)}`));
    const long = "y".repeat(30_000);
    expect(await sendTurn(turn(long), { env: { ...env, MOTH_URL: server.url } })).toBe(true);
    await vi.waitFor(async () => expect(await heard(server)).toEqual([long]), 10_000);
  });

  test("what is no report, or one that would be refused, harms nobody", async () => {
    const env = { MOTH_HOME: tempHome() };
    const server = await started({ env });
    const pipe = writer(env, server)!;
    const bad = [
      "agent",
      "agent ",
      "agent []",
      "agent null",
      'agent {"source":"pi"}',
      'agent {"source":1,"text":"x"}',
      "state {}",
      'state {"source":"pi","state":"asleep"}',
    ];
    for (const message of [...bad, "hello", "reset {}", 'chat {"text":"hi"}', 'answer {"source":"pi"}', "../agent {}"])
      expect(writePipe(pipe, message)).toBe(true);
    writeSync(pipe, Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * 7919) % 256)));
    writeSync(pipe, `\n${"x".repeat(20_000)}\n`);
    expect(writePipe(pipe, `agent ${JSON.stringify(turn("fine"))}`)).toBe(true);
    await vi.waitFor(async () => expect(await heard(server)).toEqual(["fine"]), 10_000);
    const { events } = await get<LogAnswer>(server, "/api/log");
    expect(events.map(({ kind }) => kind).filter((kind) => kind === "chat")).toEqual([]);
  });

  test("the pipe is the person's alone, and gone with the server", async () => {
    const env = { MOTH_HOME: tempHome() };
    const server = await started({ env });
    const file = pipeFile(server.port, env);
    const stats = lstatSync(file);
    expect([stats.isFIFO(), stats.mode & 0o777]).toEqual([true, 0o600]);
    expect(readdirSync(join(env.MOTH_HOME, "run")).sort()).toEqual([`${server.port}.in`, `${server.port}.json`].sort());
    const pipe = writer(env, server)!;
    await server.stop();
    expect(existsSync(file)).toBe(false);
    // A hook that had just opened it.
    await vi.waitFor(() => expect(writePipe(pipe, "agent {}")).toBe(false));
  });

  test("each port has its own", async () => {
    const env = { MOTH_HOME: tempHome() };
    const [one, two] = [await started({ env }), await started({ env })];
    writePipe(writer(env, two)!, `agent ${JSON.stringify(turn("to two"))}`);
    await vi.waitFor(async () => expect(await heard(two)).toEqual(["to two"]), 10_000);
    expect(await heard(one)).toEqual([]);
    await two.stop();
    expect(writer(env, one)).toBeDefined();
  });

  test("what a killed server had half made is gone", async () => {
    const env = { MOTH_HOME: tempHome() };
    const { port } = await stopped(env);
    execFileSync("mkfifo", ["-m", "600", `${pipeFile(port, env)}.7.tmp`]);
    await started({ env, port });
    expect(readdirSync(join(env.MOTH_HOME, "run")).filter((name) => name.includes("tmp"))).toEqual([]);
  });

  test("what a killed server has left is replaced, whatever it is, and nothing of it is heard", async () => {
    const env = { MOTH_HOME: tempHome() };
    const { port } = await stopped(env);
    const file = pipeFile(port, env);
    execFileSync("mkfifo", ["-m", "600", file]);
    writeFileSync(`${file}.${process.pid}.tmp`, "half made");
    expect(writer(env, { port })).toBeUndefined();
    const server = await started({ env, port });
    writePipe(writer(env, server)!, `agent ${JSON.stringify(turn("new"))}`);
    await vi.waitFor(async () => expect(await heard(server)).toEqual(["new"]), 10_000);
    expect(readdirSync(join(env.MOTH_HOME, "run")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("the pipe of a server that took the port since stays", async () => {
    const env = { MOTH_HOME: tempHome() };
    const server = await started({ env });
    const file = pipeFile(server.port, env);
    rmSync(file);
    execFileSync("mkfifo", ["-m", "600", file]);
    const other = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
    onTestFinished(() => closeSync(other));
    await server.stop();
    expect(existsSync(file)).toBe(true);
  });

  test.each([
    ["mkfifo is nowhere", (home: string) => ({ PATH: home })],
    [
      "there is a folder in its place",
      (home: string, port: number) => void mkdirSync(join(home, "run", `${port}.in`, "x"), { recursive: true }),
    ],
  ])("where there can be none, since %s, the server runs all the same and the port takes reports", async (_why, make) => {
    const home = tempHome();
    const { port } = await stopped({ MOTH_HOME: home });
    const env = { MOTH_HOME: home, ...make(home, port) };
    const server = await started({ env, port });
    expect(writer(env, server)).toBeUndefined();
    expect(await sendTurn(turn("posted"), { env: { MOTH_HOME: home, MOTH_URL: server.url } })).toBe(true);
    await vi.waitFor(async () => expect(await heard(server)).toEqual(["posted"]), 10_000);
  });
});
