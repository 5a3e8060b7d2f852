import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { tempFolder } from "./io.ts";

export const BIN: string = fileURLToPath(new URL("../../bin/moth.mjs", import.meta.url));

interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/** A process under way. */
interface Started {
  child: ChildProcess;
  out(): string;
  err(): string;
  ended: Promise<Ran>;
}

/** A person's machine: a home and a port of its own. What is started in it ends with the test. */
export interface World {
  home: string;
  url: string;
  port: number;
  env: Record<string, string>;
  start(args: readonly string[], env?: Record<string, string>): Started;
  moth(args: readonly string[], env?: Record<string, string>): Promise<Ran>;
  /** `moth up -d`; ends with the test. @returns its process id */
  up(args?: readonly string[]): Promise<number>;
  token(): string;
  post(path: string, body: object): Promise<unknown>;
}

export async function createWorld(): Promise<World> {
  if (!existsSync(fileURLToPath(new URL("../../dist/main.js", import.meta.url)))) {
    throw new Error("These tests run the built command, and it is not built. Run: npm run build");
  }
  const home = tempFolder();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { HOME: home, PATH: [installed(), process.env["PATH"] ?? ""].join(delimiter), MOTH_URL: url };

  const start = (args: readonly string[], more: Record<string, string> = {}): Started => {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: home,
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => (out += String(chunk)));
    child.stderr.on("data", (chunk) => (err += String(chunk)));
    const ended = new Promise<Ran>((resolve) => child.once("close", (code) => resolve({ code, out, err })));
    onTestFinished(async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await ended;
    });
    return { child, out: () => out, err: () => err, ended };
  };
  const moth = (args: readonly string[], more?: Record<string, string>): Promise<Ran> => start(args, more).ended;
  const token = (): string => readFileSync(join(home, ".moth", "token"), "utf8").trim();
  return {
    home,
    url,
    port,
    env,
    start,
    moth,
    token,
    async up(args = []) {
      const ran = await moth(["up", "-d", ...args]);
      const pid = Number(/process (\d+)/.exec(ran.out)?.[1]);
      if (ran.code !== 0 || !pid) throw new Error(`moth up -d ended with ${ran.code}:\n${ran.out}${ran.err}`);
      onTestFinished(() => kill(pid));
      return pid;
    },
    async post(path, body) {
      const answer = await fetch(url + path, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Moth-Token": token() },
        body: JSON.stringify(body),
      });
      const json: unknown = await answer.json();
      if (!answer.ok) throw new Error(`${path} was refused: ${JSON.stringify(json)}`);
      return json;
    },
  };
}

/** A folder in which `moth` is found, as where it is installed for all projects. */
export function installed(): string {
  const folder = tempFolder();
  if (process.platform === "win32") writeFileSync(join(folder, "moth.cmd"), `@node "${BIN}" %*\n`);
  else symlinkSync(BIN, join(folder, "moth"));
  return folder;
}

export function isAlive(pid: number): boolean {
  try {
    // A process that has ended and is not reaped yet is over.
    if (process.platform === "linux" && /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))) return false;
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
