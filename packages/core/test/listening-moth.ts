/** For tests of adapters: a moth as far as an adapter sees of it, and servers that are none. */
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { StateReport, TurnReport } from "../src/protocol.ts";

export const TOKEN = "a-token-of-thirty-two-characters";

export interface Heard {
  path: string;
  token: string | undefined;
  body: TurnReport & StateReport;
}

export interface Listener {
  url: string;
  port: number;
  connections(): number;
}

export interface ListeningMoth extends Listener {
  /** Reports in order of `seq`, as the server takes them. */
  heard(): Heard[];
  /** Requests that have begun. */
  requests(): number;
  /** Every byte that came. */
  bytes(): string;
}

/** @param gate what each connection waits for before a byte of it is read */
export async function startMoth(gate?: Promise<void>): Promise<ListeningMoth> {
  const heard: Heard[] = [];
  const received: string[] = [];
  const listener = await startTcp((socket) => {
    const at = received.push("") - 1;
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      received[at] += chunk;
      const report = parse(received[at] ?? "");
      if (!report) return;
      heard.push(report);
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");
    });
    if (gate) void gate.then(() => socket.resume());
  }, gate !== undefined);
  return {
    ...listener,
    heard: () => heard.toSorted((a, b) => (a.body.seq ?? 0) - (b.body.seq ?? 0)),
    requests: () => received.filter((bytes) => bytes !== "").length,
    bytes: () => received.join(""),
  };
}

/** A server that does with a connection as told, and counts what came. */
export async function startTcp(take: (socket: Socket) => void, pauseOnConnect = false): Promise<Listener> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer({ pauseOnConnect }, (socket) => {
    connections++;
    sockets.add(socket.on("error", () => {}));
    take(socket);
    // It is paused for whoever does not read on purpose.
    if (pauseOnConnect) socket.pause();
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, connections: () => connections };
}

/** One line per report: `working`, `waiting:permission bash`, `idle:done`, `"a reply"`. */
export function story(heard: readonly Heard[]): string[] {
  return heard.map(({ path, body }) => {
    if (path === "/api/agent") return `${JSON.stringify(body.text)}${body.state === "working" ? ", works on" : ""}`;
    const detail = body.wait ? `${body.wait.kind} ${body.wait.tool ?? ""}` : body.ended ? "answered" : body.outcome;
    return detail === undefined ? body.state : `${body.state}:${detail}`;
  });
}

/** The report of a whole request. */
function parse(bytes: string): Heard | undefined {
  const [head = "", ...rest] = bytes.split("\r\n\r\n");
  const body = rest.join("\r\n\r\n");
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (length === undefined || Buffer.byteLength(body) < Number(length)) return undefined;
  const path = head.split(" ")[1] ?? "";
  return { path, token: /^x-moth-token: (.*)$/im.exec(head)?.[1], body: JSON.parse(body) as Heard["body"] };
}
