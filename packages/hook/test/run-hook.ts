import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const TOKEN = "0123456789abcdef0123456789abcdef";

/** Builds the program as it ships, from the sources as they are. */
export function buildHook(): string {
  const require = createRequire(import.meta.url);
  const out = mkdtempSync(join(tmpdir(), "moth-hook-build-"));
  const tsup = join(dirname(require.resolve("tsup/package.json")), "dist", "cli-default.js");
  execFileSync(process.execPath, [tsup, "--out-dir", out], { cwd: join(import.meta.dirname, ".."), stdio: "pipe" });
  return join(out, "moth-hook.cjs");
}

/** A home with a token in it. */
export function makeHome(token: string | undefined = TOKEN): string {
  const home = mkdtempSync(join(tmpdir(), "moth-hook-home-"));
  mkdirSync(join(home, ".moth"));
  if (token) writeFileSync(join(home, ".moth", "token"), `${token}\n`);
  return home;
}

export interface Listener {
  port: number;
  /** What each connection has sent so far. */
  heard: string[];
  stop(): Promise<void>;
}

/** Listens, on a free port unless said otherwise. */
export async function listen(port = 0): Promise<Listener> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    const index = heard.push("") - 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (chunk) => (heard[index] += chunk.toString("utf8")));
    socket.on("end", () => socket.end());
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    heard,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Milliseconds. The program's own limit is 900; the rest is a busy machine's. */
export const SOON_MS = 2500;

export interface Ended {
  code: number | null;
  output: string;
  /** Within {@link SOON_MS}. */
  soon: boolean;
}

/** How the program always ends. */
export const SILENT: Ended = { code: 0, output: "", soon: true };

export interface RunOptions {
  program: string;
  args?: string[];
  env: Record<string, string>;
  /** Written to stdin; undefined writes nothing. */
  input?: string | Buffer;
  /** Leaves stdin open after the input. */
  open?: boolean;
}

/** Runs the hook as a harness does. */
export async function runHook({ program, args = ["claude-code"], env, input, open }: RunOptions): Promise<Ended> {
  const started = performance.now();
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ["pipe", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.on("error", () => {});
  if (input !== undefined) child.stdin.write(input);
  if (!open) child.stdin.end();
  const [code] = (await once(child, "exit")) as [number | null];
  child.stdin.destroy();
  return { code, output, soon: performance.now() - started < SOON_MS };
}

/** The request a listener heard, taken apart. */
export function request(heard: string | undefined): { head: string; body: Record<string, unknown> } {
  const [head = "", body = "{}"] = (heard ?? "").split("\r\n\r\n");
  return { head, body: JSON.parse(body) as Record<string, unknown> };
}
