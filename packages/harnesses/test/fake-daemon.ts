/** A daemon such as Codex's, which speaks WebSocket on a Unix socket, as far as a test needs one. */
import { mkdirSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";

export interface Sent {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
}

export interface FakeDaemon {
  /** What it was sent, but for the hello. */
  sent: Sent[];
  /** Sends a message to every client. */
  tell(message: object): void;
  /** Clients that are connected. */
  count(): number;
  close(): Promise<void>;
}

/**
 * @param home Codex's folder
 * @param answer the result of a request; an Error refuses it, undefined leaves it unanswered
 */
export async function startFakeDaemon(home: string, answer: (sent: Sent) => unknown): Promise<FakeDaemon> {
  const clients = new Set<Socket>();
  const sent: Sent[] = [];
  const server = createServer((client) => {
    clients.add(client);
    client.on("error", () => {});
    client.on("close", () => clients.delete(client));
    client.once("data", () => {
      client.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
      let input: Buffer = Buffer.alloc(0);
      client.on("data", (chunk: Buffer) => {
        input = Buffer.concat([input, chunk]);
        for (let end = endOf(input); end > 0; end = endOf(input)) {
          hear(client, JSON.parse(input.subarray(end - lengthOf(input), end).toString("utf8")) as Sent);
          input = input.subarray(end);
        }
      });
    });
  });
  const hear = (client: Socket, message: Sent): void => {
    if (message.method === "initialized") return;
    if (message.method !== "initialize") sent.push(message);
    const result = message.method === "initialize" ? {} : answer(message);
    if (result instanceof Error) client.write(frame({ id: message.id, error: { code: -32_600, message: result.message } }));
    else if (result !== undefined) client.write(frame({ id: message.id, result }));
  };
  mkdirSync(join(home, "app-server-control"), { recursive: true });
  await new Promise<void>((resolve) => server.listen(join(home, "app-server-control", "app-server-control.sock"), resolve));
  return {
    sent,
    tell: (message) => clients.forEach((client) => client.write(frame(message))),
    count: () => clients.size,
    async close() {
      for (const client of clients) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A server does not mask. */
function frame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  return body.length < 126
    ? Buffer.concat([Buffer.from([0x81, body.length]), body])
    : Buffer.concat([Buffer.from([0x81, 126, body.length >> 8, body.length & 255]), body]);
}

function lengthOf(input: Buffer): number {
  const short = (input[1] ?? 0) & 127;
  return short === 126 ? input.readUInt16BE(2) : short;
}

/** Where the first frame of a client ends, which has a mask of zeros; 0: it is not there whole. */
function endOf(input: Buffer): number {
  if (input.length < 8) return 0;
  const end = lengthOf(input) + (((input[1] ?? 0) & 127) === 126 ? 8 : 6);
  return input.length < end ? 0 : end;
}
