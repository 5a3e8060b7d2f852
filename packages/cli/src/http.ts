import { http } from "@moth-companion/core/node-http";
import type { Address } from "@moth-companion/core/paths";
import { authority } from "@moth-companion/core/paths";
import { oneLine } from "@moth-companion/core/text";

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

/** Nothing answered, or what did does not speak HTTP. `why` is fit to show. */
export type HttpFault = { kind: "unreachable"; why: string } | { kind: "garbled"; why: string };

/**
 * One request to this machine. With an agent of its own, since Node's global one follows `HTTP_PROXY` when `NODE_USE_ENV_PROXY`
 * is set. Never throws, except when `signal` ends it.
 */
export function request(address: Address, options: HttpRequest): Promise<HttpAnswer | HttpFault> {
  return new Promise((resolve, reject) => {
    const { body, signal } = options;
    const agent = new http.Agent({ keepAlive: false });
    const outgoing = http.request({
      agent,
      host: address.host,
      port: address.port,
      method: options.method,
      path: options.path,
      headers: {
        Host: authority(address),
        ...options.headers,
        ...(body !== undefined && { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }),
      },
    });
    const end = (outcome: HttpAnswer | HttpFault): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      outgoing.destroy();
      agent.destroy();
      resolve(outcome);
    };
    const abort = (): void => {
      reject(signal?.reason as Error);
      end({ kind: "unreachable", why: "given up" });
    };
    let connected = false;
    const timer = setTimeout(() => {
      end(
        connected
          ? { kind: "garbled", why: "it took the request and never answered" }
          : { kind: "unreachable", why: "no answer in time" },
      );
    }, options.timeoutMs);

    if (signal?.aborted) return reject(signal.reason as Error);
    signal?.addEventListener("abort", abort, { once: true });
    outgoing.on("socket", (socket) => socket.once("connect", () => (connected = true)));
    outgoing.on("error", (error: NodeJS.ErrnoException) => end(fault(error)));
    outgoing.on("response", (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > options.maxBytes) end({ kind: "garbled", why: `its answer is longer than ${options.maxBytes} bytes` });
      });
      incoming.on("error", (error: NodeJS.ErrnoException) => end(fault(error)));
      incoming.on("end", () => {
        const server = incoming.headers.server;
        end({
          kind: "answer",
          status: incoming.statusCode ?? 0,
          server: typeof server === "string" ? oneLine(server).slice(0, 60) : undefined,
          json: parse(Buffer.concat(chunks).toString("utf8")),
        });
      });
    });
    outgoing.end(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function fault(error: NodeJS.ErrnoException): HttpFault {
  const code = error.code ?? "";
  if (code === "ECONNREFUSED") return { kind: "unreachable", why: "nothing listens there" };
  if (code.startsWith("HPE_")) return { kind: "garbled", why: "a program that does not speak HTTP" };
  // Cut off in the middle: a server that is just ending, or none of HTTP.
  if (code === "ECONNRESET" || code === "EPIPE") return { kind: "unreachable", why: "the connection was cut off" };
  return { kind: "unreachable", why: code || oneLine(error.message) };
}
