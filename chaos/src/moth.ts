/** A person's machine for one fault: a home, a port, and the built `moth` in it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pause } from "@moth-companion/core/pause";
import { TOKEN_HEADER } from "@moth-companion/core/protocol";
import { freePort } from "../../e2e/src/moth.ts";
import type { Trial } from "./fault.ts";

const MOTH: string = join(import.meta.dirname, "..", "..", "packages", "cli", "bin", "moth.mjs");
/** So that nothing is held back. */
const AT_ONCE = ["--react-every", "0", "--quiet-after", "0", "--batch-window", "0"];
const START_MS = 15_000;

export interface Ran {
  code: number | null;
  /** Both outputs. */
  said: string;
}

/** A `moth up` in the foreground. */
export interface Running {
  child: ChildProcess;
  pid: number;
  said(): string;
  ended: Promise<Ran>;
}

interface Answer {
  status: number;
  body: string;
}

export interface Machine {
  home: string;
  /** moth's folder. */
  folder: string;
  port: number;
  env: Record<string, string>;
  /** What stands in the token's file. */
  token(): string;
  /** Starts `moth up` and does not wait. */
  start(): Running;
  /** Starts `moth up` and waits until it answers. @throws Error with what it printed */
  up(): Promise<Running>;
  /** Runs a command to its end. */
  moth(...args: string[]): Promise<Ran>;
  /** The process id that answers at the port. */
  health(): Promise<number | undefined>;
  /** Undefined when nobody answered. */
  ask(path: string, body?: unknown, token?: string): Promise<Answer | undefined>;
}

/** Everything in it ends with the trial. */
export async function createMachine(trial: Trial): Promise<Machine> {
  const home = mkdtempSync(join(tmpdir(), "moth-chaos-"));
  trial.after(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const port = await freePort();
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, USERPROFILE: home, MOTH_URL: `http://127.0.0.1:${port}` };
  const folder = join(home, ".moth");
  const token = (): string => readFileSync(join(folder, "token"), "utf8").trim();

  const run = (args: readonly string[]): Running => {
    const child = spawn(process.execPath, [MOTH, ...args], { cwd: home, env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (said += text));
    const ended = once(child, "close").then(([code]) => ({ code: code as number | null, said }));
    trial.after(async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await ended;
    });
    return { child, pid: child.pid ?? 0, said: () => said, ended };
  };
  const ask = async (path: string, body?: unknown, own = token()): Promise<Answer | undefined> => {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { [TOKEN_HEADER]: own, ...(body !== undefined && { "Content-Type": "application/json" }) },
        ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(10_000),
      });
      return { status: answer.status, body: await answer.text() };
    } catch {
      return undefined;
    }
  };
  const health = async (): Promise<number | undefined> => {
    const answer = await ask("/api/health", undefined, "");
    return answer?.status === 200 ? (JSON.parse(answer.body) as { pid: number }).pid : undefined;
  };
  const start = (): Running => run(["up", ...AT_ONCE]);
  return {
    home,
    folder,
    port,
    env,
    token,
    start,
    async up() {
      const running = start();
      if (!(await until(async () => (await health()) === running.pid || running.child.exitCode !== null, START_MS)))
        throw new Error(`moth up did not answer:\n${running.said()}`);
      if (running.child.exitCode !== null) throw new Error(`moth up ended with ${running.child.exitCode}:\n${running.said()}`);
      return running;
    },
    moth: (...args) => run(args).ended,
    health,
    ask,
  };
}

/** Looks again and again until it is so. @returns whether it became so in time */
export async function until(isSo: () => boolean | Promise<boolean>, ms: number): Promise<boolean> {
  for (const begun = performance.now(); performance.now() - begun < ms; await pause(20)) if (await isSo()) return true;
  return await isSo();
}

/** Ends a process that was started here and waits for it. */
export async function end(running: Running, signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<Ran> {
  running.child.kill(signal);
  return await running.ended;
}

/** Whether a program told a person what is wrong: some words, and neither a stack nor a confession. */
export function isForPerson(said: string): boolean {
  return said.trim() !== "" && !/^\s+at .*[:(]|a bug in moth itself|\bnode:internal/m.test(said);
}
