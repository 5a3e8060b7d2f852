import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pause } from "@moth-companion/core/pause";
import { begin, beginFolder } from "./leavings.ts";

export const root: string = join(import.meta.dirname, "..", "..");
export const mothProgram: string = join(root, "packages/cli/bin/moth.mjs");
export type Env = Record<string, string | undefined>;

/** A server under measure, in a process of its own. */
export interface Running {
  port: number;
  pid: number;
  home: string;
  /** moth's token; empty for the bare server. */
  token: string;
  /** What a program gets that is to find this moth. */
  env: Env;
  stop(): Promise<void>;
}

/** Starts a real moth, as `moth up` does, in a home of its own. */
export async function startMoth(more: Env = {}): Promise<Running> {
  return await start("/api/health", (port, env) =>
    spawn(process.execPath, [mothProgram, "up"], { env: { ...env, ...more }, stdio: "ignore" }),
  );
}

/** Starts the bare `node:http` JSON server that moth is compared with. */
export async function startBare(): Promise<Running> {
  return await start("/", (port, env) =>
    spawn(process.execPath, [join(import.meta.dirname, "bare-server.mjs"), String(port)], { env, stdio: "ignore" }),
  );
}

async function start(path: string, startOn: (port: number, env: Env) => ChildProcess): Promise<Running> {
  const { folder: home, remove } = beginFolder();
  const port = await freePort();
  const env = { PATH: process.env["PATH"], HOME: home, USERPROFILE: home, MOTH_URL: `http://127.0.0.1:${port}` };
  const child = startOn(port, env);
  const kill = begin(() => child.kill("SIGKILL"));
  const stop = async (): Promise<void> => {
    const gone = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
    child.kill();
    const hard = setTimeout(kill, 10_000);
    await gone;
    clearTimeout(hard);
    kill();
    remove();
  };
  const deadline = Date.now() + 20_000;
  while (!(await answers(port, path))) {
    if (child.exitCode === null && Date.now() < deadline) continue;
    await stop();
    throw new Error(`the server on port ${port} did not come up (exit code ${child.exitCode})`);
  }
  const token = path === "/" ? "" : readFileSync(join(home, ".moth", "token"), "utf8").trim();
  return { port, pid: child.pid ?? 0, home, token, env, stop };
}

/** Whether somebody answers there. Takes 2 ms when nobody does, so that a loop of it may tell the moment somebody begins. */
async function answers(port: number, path: string): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(5000) });
    await answer.arrayBuffer();
    return answer.status < 500;
  } catch {
    await pause(2);
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}

/** Milliseconds a program takes from its start to its end. @throws Error when it does not end well, or prints other than expected */
export async function timeOf(
  program: string,
  args: readonly string[],
  env: Env,
  { input = "", prints = "" } = {},
): Promise<number> {
  // Nothing else is heard while the program runs, so Ctrl-C has its turn before.
  await setImmediate();
  const started = performance.now();
  const run = spawnSync(program, args, { input, env, encoding: "utf8" });
  const took = performance.now() - started;
  if (run.status !== 0 || !run.stdout.startsWith(prints))
    throw new Error(`${program} ${args.join(" ")} ended with ${run.status ?? run.signal}: ${run.stderr || run.stdout}`);
  return took;
}

/** A Node program that does nothing, for as long as `use` takes. */
export async function withEmptyProgram<T>(use: (empty: string) => T | Promise<T>): Promise<T> {
  const { folder, remove } = beginFolder();
  const empty = join(folder, "empty.mjs");
  writeFileSync(empty, "");
  try {
    return await use(empty);
  } finally {
    remove();
  }
}
