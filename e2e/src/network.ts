import { createServer as createHttpServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export interface Listener {
  port: number;
  url: string;
  close(): Promise<void>;
}

export interface Recorder extends Listener {
  /** Targets of the requests it was given, in order: a URL, or `host:port` of a tunnel. */
  targets: string[];
  /** All bytes it was given. */
  bytes(): string;
}

/**
 * An HTTP proxy as a company might have one: it passes on what is meant for this machine, refuses the rest, and records all.
 * Whatever reaches it has left the direct way.
 */
export async function startRecorder(): Promise<Recorder> {
  const targets: string[] = [];
  let bytes = "";
  const server = createHttpServer((incoming, outgoing) => {
    targets.push(incoming.url ?? "");
    const target = localUrl(incoming);
    const passed = target ? request(target, { method: incoming.method, headers: incoming.headers, agent: false }) : undefined;
    incoming.on("data", (chunk: Buffer) => (bytes += chunk.toString("latin1")));
    if (!passed) {
      outgoing.writeHead(502).end();
      return;
    }
    passed.once("response", (answer) => answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers)));
    passed.once("error", () => outgoing.destroy());
    outgoing.once("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  server.on("connect", (incoming, client: Socket) => {
    targets.push(incoming.url ?? "");
    const [host, port] = (incoming.url ?? "").split(":");
    // Who is refused may hang up at once.
    client.on("error", () => {});
    if (host !== "127.0.0.1") {
      client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
      return;
    }
    const passed = connect(Number(port), host, () => client.write("HTTP/1.1 200 Connection established\r\n\r\n"));
    client.on("data", (chunk: Buffer) => (bytes += chunk.toString("latin1")));
    client.pipe(passed).pipe(client);
    for (const [one, other] of [
      [client, passed],
      [passed, client],
    ] as const)
      one.once("error", () => other.destroy()).once("close", () => other.destroy());
  });
  const sockets = tracked(server);
  return { ...(await listening(server, sockets)), targets, bytes: () => bytes };
}

export interface Tarpit extends Listener {
  /** Bytes of what each connection sent so far. */
  received: string[];
}

/** A server that takes everything in and answers only after this many milliseconds. Infinity: never. */
export async function startSlowServer(after: number): Promise<Tarpit> {
  const received: string[] = [];
  const server = createServer((socket) => {
    const index = received.push("") - 1;
    socket.setEncoding("utf8").on("data", (chunk: string) => (received[index] += chunk));
    socket.on("error", () => {});
    if (after === Infinity) return;
    const timer = setTimeout(() => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}"), after);
    socket.once("close", () => clearTimeout(timer));
  });
  const sockets = tracked(server);
  return { ...(await listening(server, sockets)), received };
}

/** A hole: it takes connections and then reads nothing and says nothing. */
export async function startBlackHole(): Promise<Listener & { connections(): number }> {
  let connections = 0;
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    connections++;
    socket.on("error", () => {});
  });
  const sockets = tracked(server);
  return { ...(await listening(server, sockets)), connections: () => connections };
}

function localUrl(incoming: IncomingMessage): string | undefined {
  return incoming.url?.startsWith("http://127.0.0.1:") ? incoming.url : undefined;
}

function tracked(server: Server): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

async function listening(server: Server, sockets: Set<Socket>): Promise<Listener> {
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
