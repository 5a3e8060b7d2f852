import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const root: string = join(import.meta.dirname, "..", "..");

/** A server under measure, in a process of its own. */
export interface Running {
  port: number;
  pid: number;
  home: string;
  stop(): Promise<void>;
}

/** Starts a real moth, as `moth up` does, in a home of its own. */
export async function startMoth(...flags: string[]): Promise<Running> {
  const home = mkdtempSync(join(tmpdir(), "moth-bench-"));
  const port = await freePort();
  const env = { PATH: process.env["PATH"], HOME: home, USERPROFILE: home, MOTH_URL: `http://127.0.0.1:${port}` };
  const child = spawn(process.execPath, [join(root, "packages/cli/bin/moth.mjs"), "up", ...flags], { env, stdio: "ignore" });
  return await ready(child, port, home, "/api/health");
}

/** Starts the bare `node:http` JSON server that moth is compared with. */
export async function startBare(): Promise<Running> {
  const home = mkdtempSync(join(tmpdir(), "moth-bench-"));
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, "bare-server.ts"), String(port)], { stdio: "ignore" });
  return await ready(child, port, home, "/");
}

async function ready(child: ChildProcess, port: number, home: string, path: string): Promise<Running> {
  const deadline = Date.now() + 15_000;
  while (!(await answers(port, path))) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`the server on port ${port} did not come up (exit code ${child.exitCode})`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    port,
    pid: child.pid ?? 0,
    home,
    async stop() {
      const gone = child.exitCode === null ? once(child, "exit") : undefined;
      child.kill();
      await gone;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function answers(port: number, path: string): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    await answer.arrayBuffer();
    return answer.status < 500;
  } catch {
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

/**
 * Memory that a process has to itself, in MB (10^6 bytes). On Linux without the pages of Node's own binary: how many of those count
 * as resident is the kernel's mood (44 to 64 MB for an empty Node 24 on one machine within an hour), and all Nodes share them.
 * Elsewhere the resident memory, binary and all.
 */
export function ownMegabytes(pid: number): number {
  if (process.platform === "linux") {
    const kilobytes = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return (Number(kilobytes) * 1024) / 1e6;
  }
  return (Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) * 1024) / 1e6;
}
