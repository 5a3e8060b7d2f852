/** What the server's tests share: a clock that stands still, a home of their own, requests as bytes. */
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Clock } from "../src/clock.ts";
import { type RunningServer, type ServerOptions, startServer } from "../src/server.ts";
import type { Voice } from "../src/voice/voice.ts";

/** A clock that only moves when told to. */
export interface HandClock extends Clock {
  /** Moves on, firing what comes due on the way. */
  advance(ms: number): void;
  /** Sets the time without firing anything, as a person or a time server does. */
  jump(ms: number): void;
  readonly timers: number;
}

export function handClock(start: number = 1_000_000): HandClock {
  let time = start;
  let passed = 0;
  const timers = new Set<{ at: number; fn: () => void }>();
  return {
    now: () => time,
    after(ms, fn) {
      const timer = { at: passed + ms, fn };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const end = passed + ms;
      for (;;) {
        const [due] = [...timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at);
        if (!due) break;
        timers.delete(due);
        time += due.at - passed;
        passed = due.at;
        due.fn();
      }
      time += end - passed;
      passed = end;
    },
    jump(ms) {
      time += ms;
    },
    get timers() {
      return timers.size;
    },
  };
}

/** A folder of the test's own, gone when it ends. */
export function tempHome(): string {
  const home = mkdtempSync(join(tmpdir(), "moth-server-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** A voice whose lines a test can expect. */
export const echoVoice: Voice = {
  react: (turn) => Promise.resolve({ text: `a ${turn.class} from ${turn.label}`, quote: turn.quote }),
  chat: (_text, roster) => Promise.resolve({ text: `${roster.length} around` }),
  reset: () => undefined,
};

/** A server on a free port with a home of its own, stopped when the test ends. Answers every turn at once. */
export async function started(options: Partial<ServerOptions> = {}): Promise<RunningServer> {
  const server = await startServer({
    version: "1.2.3",
    port: 0,
    env: { MOTH_HOME: tempHome() },
    harnesses: [],
    voice: echoVoice,
    batch: { reactEvery: 0, quietAfter: 0 },
    ...options,
  });
  onTestFinished(() => server.stop());
  return server;
}

/** Opens a socket to a server; destroyed when the test ends. */
export function opened({ port }: { port: number }, host = "127.0.0.1"): Socket {
  const socket = connect(port, host);
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends bytes and reads until the server hangs up or a whole answer of known length is there. */
export async function exchange(server: { port: number }, bytes: string | Buffer): Promise<RawAnswer> {
  const socket = opened(server);
  socket.write(bytes);
  try {
    return await firstAnswer(socket);
  } finally {
    socket.destroy();
  }
}

export function firstAnswer(socket: Socket): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const answer = parseAnswer(text);
      if (answer) resolve(answer);
    });
    socket.on("close", () => reject(new Error(`The server hung up after ${JSON.stringify(text)}`)));
  });
}

/** @param bytes as latin1, a character for each byte */
export function parseAnswer(bytes: string): RawAnswer | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [first = "", ...lines] = bytes.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(": ")[0]!.toLowerCase(), line.slice(line.indexOf(": ") + 2)]),
  );
  const body = bytes.slice(end + 4);
  const length = Number(headers["content-length"] ?? body.length);
  if (body.length < length) return undefined;
  return { status: Number(first.split(" ")[1]), headers, body: Buffer.from(body.slice(0, length), "latin1").toString() };
}

export interface AskOptions {
  method?: string;
  path?: string;
  headers?: Record<string, string | undefined>;
  body?: string;
}

/** A whole request as bytes, with the right Host, token, type and length unless told otherwise; undefined leaves a header out. */
export function requestBytes({ port, token }: { port: number; token?: string }, options: AskOptions = {}): string {
  const { method = "GET", path = "/api/health", body = "" } = options;
  const headers: Record<string, string | undefined> = {
    Host: `127.0.0.1:${port}`,
    "X-Moth-Token": token,
    ...(method === "POST" ? { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) } : {}),
    ...options.headers,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return [`${method} ${path} HTTP/1.1`, ...lines, "", body].join("\r\n");
}

export function ask(server: { port: number; token?: string }, options: AskOptions = {}): Promise<RawAnswer> {
  return exchange(server, requestBytes(server, options));
}

export async function post(server: RunningServer, path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const answer = await ask(server, { method: "POST", path, body: JSON.stringify(body) });
  return { status: answer.status, body: JSON.parse(answer.body) };
}

export async function get<T>(server: RunningServer, path: string): Promise<T> {
  return JSON.parse((await ask(server, { path })).body) as T;
}

/** What a browser says of a request of moth's own page, and no token. */
export const OWN_PAGE: NonNullable<AskOptions["headers"]> = { "X-Moth-Token": undefined, "Sec-Fetch-Site": "same-origin" };

/** Asks to be let in, as the page does that a link led to. */
export function enterBy(server: RunningServer, link: string, headers: AskOptions["headers"] = {}): Promise<RawAnswer> {
  const body = JSON.stringify({ key: new URL(link).searchParams.get("key") });
  return ask(server, { method: "POST", path: "/api/enter", body, headers: { ...OWN_PAGE, ...headers } });
}
