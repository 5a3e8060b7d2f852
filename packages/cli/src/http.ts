/**
 * The commands' line to moth: one request on a raw socket. Node's HTTP client would be as long in loading as all else that `moth ps`
 * does, and follows `HTTP_PROXY` where `NODE_USE_ENV_PROXY` is set.
 */
import { connect } from "node:net";
import { type Address, authority } from "@moth-companion/core/paths";
import { oneLine } from "@moth-companion/core/text";
import { type Head, joinChunks, readHead } from "./http-answer.ts";

export interface HttpRequest {
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  /** JSON text. */
  body?: string;
  /** For the whole exchange. */
  timeoutMs: number;
  /** Longest answer taken in. */
  maxBytes: number;
  signal?: AbortSignal;
}

export interface HttpAnswer {
  kind: "answer";
  status: number;
  /** The Server header, fit to show. */
  server: string | undefined;
  /** The body's JSON; undefined when it is none. */
  json: unknown;
}

/**
 * Nothing answered, or what did does not speak HTTP. `isRefused`: the system says that nothing listens there. Else what listens may have
 * more connections than it serves. `why` is fit to show.
 */
export type HttpFault = { kind: "unreachable"; why: string; isRefused?: true } | { kind: "garbled"; why: string };

const NO_HTTP: HttpFault = { kind: "garbled", why: "a program that does not speak HTTP" };
// In the middle: a server that is just ending, or none of HTTP.
const CUT_OFF: HttpFault = { kind: "unreachable", why: "the connection was cut off" };

/** One request to this machine. Never throws, except when `signal` ends it. */
export function request(address: Address, options: HttpRequest): Promise<HttpAnswer | HttpFault> {
  return new Promise((resolve, reject) => {
    const { signal, timeoutMs, maxBytes } = options;
    if (signal?.aborted) return reject(signal.reason as Error);
    const socket = connect(address.port, address.host);
    const end = (outcome: HttpAnswer | HttpFault): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      socket.destroy();
      resolve(outcome);
    };
    const abort = (): void => {
      reject(signal?.reason as Error);
      end({ kind: "unreachable", why: "given up" });
    };
    const timer = setTimeout(() => {
      end(
        socket.connecting
          ? { kind: "unreachable", why: "no answer in time" }
          : { kind: "garbled", why: "it took the request and never answered" },
      );
    }, timeoutMs);
    signal?.addEventListener("abort", abort, { once: true });
    const takeIn = createTakeIn(maxBytes);
    const told = (outcome: HttpAnswer | HttpFault | undefined): void => outcome && end(outcome);
    socket.on("data", (chunk) => told(takeIn(chunk)));
    socket.on("end", () => end(takeIn(undefined) ?? CUT_OFF));
    socket.on("error", (error: NodeJS.ErrnoException) => end(fault(error)));
    socket.on("close", () => end(CUT_OFF));
    socket.write(messageOf(address, options));
  });
}

function messageOf(address: Address, { method, path, headers, body }: HttpRequest): string {
  const all = {
    Host: authority(address),
    Connection: "close",
    ...headers,
    ...(body !== undefined && { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, ...lines, "", body ?? ""].join("\r\n");
}

/** Takes an answer in, piece by piece; undefined is its end. What it returns is what came of it, once that is known. */
function createTakeIn(maxBytes: number): (piece: Buffer | undefined) => HttpAnswer | HttpFault | undefined {
  let pieces: Buffer[] = [];
  let size = 0;
  let head: Head | undefined;
  const all = (): Buffer => {
    const [first = Buffer.alloc(0), ...others] = pieces;
    const whole = others.length > 0 ? Buffer.concat(pieces) : first;
    pieces = [whole];
    return whole;
  };
  return (piece) => {
    if (piece) {
      pieces.push(piece);
      size += piece.length;
    }
    if (!head) {
      const read = size > 0 ? readHead(all()) : undefined;
      if (read === "garbled") return NO_HTTP;
      if (!read) return undefined;
      head = read;
    }
    const { body, length, isChunked } = head;
    if ((length ?? size - body) > maxBytes) return { kind: "garbled", why: `its answer is longer than ${maxBytes} bytes` };
    const isWhole = length === undefined ? !piece : size - body >= length;
    if (!isWhole) return undefined;
    const sent = all().subarray(body, length === undefined ? undefined : body + length);
    const read = isChunked ? joinChunks(sent) : sent;
    return read && answerOf(head, read);
  };
}

function answerOf({ status, server }: Head, body: Buffer): HttpAnswer {
  const shown = server === undefined ? undefined : oneLine(server).slice(0, 60);
  return { kind: "answer", status, server: shown, json: parse(body.toString("utf8")) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function fault({ code = "", message }: NodeJS.ErrnoException): HttpFault {
  if (code === "ECONNREFUSED") return { kind: "unreachable", why: "nothing listens there", isRefused: true };
  return code === "ECONNRESET" || code === "EPIPE" ? CUT_OFF : { kind: "unreachable", why: code || oneLine(message) };
}
