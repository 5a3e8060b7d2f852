/** The HTTP edge: sockets, limits and bodies. What a request is worth is decided in `app.ts`. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { MAX_BODY_BYTES } from "@moth-companion/core/protocol";
import { type Answer, EVERY_ANSWER, refuse } from "./answer.ts";
import type { Head, Reply } from "./route.ts";
import { http } from "@moth-companion/core/node-http";

export interface DoorLimits {
  /** Milliseconds in which a request must have arrived whole. */
  requestMs: number;
  /** Bytes of a request's head. */
  headerBytes: number;
  /** Connections that are served at once; some more are told that moth is busy. */
  connections: number;
}

export const DOOR_LIMITS: DoorLimits = { requestMs: 5000, headerBytes: 8192, connections: 512 };

/** How long a refused connection stays open, so that the refusal can be read. */
const LINGER_MS = 200;

export interface Door {
  server: Server;
  /** Takes no more connections and ends those there are; a request that is being answered gets a moment. */
  close(): Promise<void>;
}

export function createDoor(ask: (head: Head) => Reply, limits: DoorLimits = DOOR_LIMITS): Door {
  const sockets = new Set<Duplex>();
  const answering = new WeakMap<Duplex, ServerResponse>();
  const server = http.createServer({
    // A request without Host gets our own refusal, not Node's.
    requireHostHeader: false,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.requestMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(500, limits.requestMs),
  });
  server.maxConnections = limits.connections * 2;

  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });

  server.on("request", (request, response) => {
    answering.set(request.socket, response);
    if (sockets.size > limits.connections) {
      response.shouldKeepAlive = false;
      return send(response, refuse("BUSY", "Too many connections to moth. Close some, or ask again later."));
    }
    try {
      serve(request, response, ask);
    } catch (error) {
      breakDown(response, error);
    }
  });

  server.on("checkExpectation", (_request, response) => {
    send(response, refuse("EXPECT", "moth knows no such expectation. Leave the Expect header out."));
  });
  server.on("connect", (_request, socket) => {
    sendRaw(socket, refuse("METHOD", "moth is no proxy.", { Allow: "GET, POST" }));
  });
  server.on("upgrade", (_request, socket) => {
    sendRaw(socket, refuse("UPGRADE", "moth speaks plain HTTP/1.1. Leave the Upgrade header out."));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // In the middle of an answer a refusal would be read as a part of it.
    const open = answering.get(socket);
    if (error.code === "ECONNRESET" || (open?.headersSent && !open.writableFinished)) socket.destroy();
    else sendRaw(socket, refusalOf(error));
  });

  return {
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, LINGER_MS).unref();
      }),
  };
}

function serve(request: IncomingMessage, response: ServerResponse, ask: (head: Head) => Reply): void {
  const { method = "", url: target = "", headers, rawHeaders } = request;
  const reply = ask({ method, target, headers, rawHeaders, onClose: (fn) => void response.on("close", fn) });
  if ("onBody" in reply) return readBody(request, response, reply);
  if ("stream" in reply) return stream(response, reply);
  sendWhenReady(response, reply.answer);
}

function sendWhenReady(response: ServerResponse, answer: Answer | Promise<Answer>): void {
  if (!(answer instanceof Promise)) return send(response, answer);
  answer.then(
    (ready) => send(response, ready),
    (error: unknown) => breakDown(response, error),
  );
}

function readBody(request: IncomingMessage, response: ServerResponse, reply: Extract<Reply, { onBody: unknown }>): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) return void chunks.push(chunk);
    request.off("data", onData);
    request.off("end", onEnd);
    send(response, reply.onTooLarge());
    // What still comes is thrown away, so that the sender reads the answer and not a reset; the request's time limit ends it.
    request.resume();
  };
  const onEnd = (): void => {
    try {
      sendWhenReady(response, reply.onBody((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString()));
    } catch (error) {
      breakDown(response, error);
    }
  };
  request.on("data", onData);
  request.on("end", onEnd);
  // A sender that goes in the middle of its body is owed nothing.
  request.on("error", () => undefined);
}

function stream(response: ServerResponse, reply: Extract<Reply, { stream: unknown }>): void {
  response.writeHead(200, { ...EVERY_ANSWER, ...reply.headers });
  response.flushHeaders();
  const reader = reply.stream({
    write: (text) => response.write(text),
    end: () => void response.end(),
    drop: () => void response.destroy(),
  });
  response.on("drain", () => reader.onDrain());
  response.on("close", () => reader.onClose());
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const length = status === 204 ? {} : { "Content-Length": Buffer.byteLength(body) };
  response.writeHead(status, { ...EVERY_ANSWER, ...headers, ...length });
  response.end(body);
}

/** Answers where there is no response object, and hangs up. */
function sendRaw(socket: Duplex, { status, body, headers }: Answer): void {
  if (!socket.writable || socket.writableEnded) return;
  const all = { ...EVERY_ANSWER, ...headers, "Content-Length": Buffer.byteLength(body), Connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.on("error", () => socket.destroy());
  socket.end([`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function refusalOf(error: NodeJS.ErrnoException): Answer {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return refuse("HEADERS", "The request's head is too large.");
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return refuse("TOO_LARGE", "The chunks carry too much beside the body.");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return refuse("TIMEOUT", "The request took too long to arrive.");
    default:
      return refuse("BAD_REQUEST", "This is not HTTP/1.1 as moth reads it.");
  }
}

/** A bug of ours: the only answer that is no 4xx. The stack goes to stderr, the request's content does not. */
function breakDown(response: ServerResponse, error: unknown): void {
  process.emitWarning(error instanceof Error ? error : new Error(String(error)));
  const message = "moth made a mistake. Its log tells more; please report it.";
  send(response, {
    ...refuse("BAD_REQUEST", message),
    status: 500,
    body: JSON.stringify({ error: { code: "INTERNAL", message } }),
  });
}
