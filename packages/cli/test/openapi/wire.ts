/** HTTP as bytes: no client of Node's would send what a bad one sends. */
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface Request {
  method: string;
  /** Path and query. */
  target: string;
  /** On top of what a good client sends; undefined leaves one out. */
  headers?: Record<string, string | undefined>;
  body?: string;
  /** Sends no more than this of it. */
  cutAt?: number;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

function bytesOf(port: number, { method, target, headers, body }: Request): string {
  const all: Record<string, string | undefined> = {
    Host: `127.0.0.1:${port}`,
    ...(body !== undefined && { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return [`${method} ${target} HTTP/1.1`, ...lines, "", body ?? ""].join("\r\n");
}

/** A connection, closed when the test ends. */
export function opened(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Sends a request and reads its answer. A stream is read until `enough` of its body is there. */
export function send(port: number, request: Request, enough?: (body: string) => boolean): Promise<Answer> {
  const socket = opened(port);
  socket.setEncoding("utf8");
  socket.write(bytesOf(port, request).slice(0, request.cutAt));
  return new Promise((resolve, reject) => {
    let text = "";
    socket.on("data", (chunk: string) => {
      text += chunk;
      const answer = parsed(text, enough);
      if (!answer) return;
      socket.destroy();
      resolve(answer);
    });
    socket.on("close", () => reject(new Error(`${request.method} ${request.target}: hung up after ${JSON.stringify(text)}`)));
  });
}

function parsed(text: string, enough?: (body: string) => boolean): Answer | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(": ")[0]!.toLowerCase(), line.slice(line.indexOf(": ") + 2)] as const),
  );
  const body = text.slice(end + 4);
  const length = headers["content-length"];
  const isWhole = length === undefined ? !enough || enough(body) : Buffer.byteLength(body) >= Number(length);
  return isWhole ? { status: Number(first.split(" ")[1]), headers, body } : undefined;
}
