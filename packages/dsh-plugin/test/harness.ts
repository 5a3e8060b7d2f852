/** Runs the built plugin in a process of its own and a moth to hear it. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StateReport, TurnReport } from "@moth-companion/core/protocol";
import { onTestFinished } from "vitest";

const root = join(import.meta.dirname, "..");
export const PLUGIN: string = join(root, "dist", "moth.mjs");
export const TOKEN = "a-token-of-thirty-two-characters";

/** An event as dsh gives it to a plugin; or milliseconds in which nothing happens. */
export type Recorded =
  | { on: "session/event" | "session/disposed"; session: { id: string; header: object }; event?: object }
  | { wait: number };

/** Events as the real dsh gave them. */
export function recording(name: string): Recorded[] {
  const lines = readFileSync(join(root, "fixtures", `${name}.jsonl`), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as Recorded);
}

export interface Heard {
  path: string;
  headers: IncomingHttpHeaders;
  body: TurnReport & StateReport;
}

export interface Listener {
  url: string;
  port: number;
}

/** A moth as far as an adapter sees of it. In order of `seq`, as the server takes reports. */
export async function startMoth(): Promise<Listener & { heard(): Heard[] }> {
  const heard: Heard[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse(await read(request)) as Heard["body"];
    heard.push({ path: request.url ?? "", headers: request.headers, body });
    response.end("{}");
  };
  const server = createServer((request, response) => void take(request, response));
  return { ...(await listen(server)), heard: () => heard.toSorted((a, b) => (a.body.seq ?? 0) - (b.body.seq ?? 0)) };
}

/** A server that does with a connection as told, and counts what came. */
export async function startTcp(take: (socket: Socket) => void, paused = false): Promise<Listener & { connections(): number }> {
  let connections = 0;
  const server = createTcpServer({ pauseOnConnect: paused }, (socket) => {
    connections++;
    take(socket);
  });
  return { ...(await listen(server)), connections: () => connections };
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
  exports: string[];
  /** The events it listens to. */
  hooks: string[];
  /** How often a listener returned something. */
  returned: number;
  thrown: number;
  /** Milliseconds the end took. */
  shutdown: number;
  /** Milliseconds of a listener. */
  median: number;
  pid: number;
}

export interface RunOptions {
  env?: Record<string, string>;
  /** `null`: there is no token file. */
  token?: string | null;
  hostile?: boolean;
  broken?: boolean;
}

/** Gives the events to the built plugin in a dsh of our own, which then ends. */
export async function run(events: readonly Recorded[], url: string, options: RunOptions = {}): Promise<Ran> {
  const home = mkdtempSync(join(tmpdir(), "moth-dsh-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const { token = TOKEN, env, ...how } = options;
  if (token !== null) writeFileSync(join(home, "token"), token);
  const result = join(home, "result.json");
  const task = join(home, "task.json");
  writeFileSync(task, JSON.stringify({ plugin: PLUGIN, events, result, ...how }));
  const child = spawn(process.execPath, [join(import.meta.dirname, "host.mjs"), task], {
    env: { PATH: process.env["PATH"], MOTH_HOME: home, MOTH_URL: url, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const out = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out.stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (out.stderr += chunk));
  const code = await new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  const told = JSON.parse(readFileSync(result, "utf8")) as Omit<Ran, "code" | "stdout" | "stderr">;
  return { ...told, ...out, code };
}

/** One line per report: `working`, `waiting:permission bash`, `idle:done`, `"a reply"`. */
export function story(heard: readonly Heard[]): string[] {
  return heard.map(({ path, body }) => {
    if (path === "/api/agent") return `${JSON.stringify(body.text)}${body.state === "working" ? ", works on" : ""}`;
    const detail = body.wait ? `${body.wait.kind} ${body.wait.tool ?? ""}` : body.ended ? "answered" : body.outcome;
    return detail === undefined ? body.state : `${body.state}:${detail}`;
  });
}

async function listen(server: Server): Promise<Listener> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port };
}

async function read(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk as string;
  return text;
}
