import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished } from "vitest";

export interface Request {
  head: string;
  body: string;
}

export interface Listener {
  url: string;
  /** Every request so far. */
  requests: Request[];
  connections(): number;
  /** Waits for so many requests at least and until nobody sends any more; forgets them. */
  take(count: number): Promise<Request[]>;
}

/** A server that takes everything in, byte by byte. `answer`: what it does with each connection beside listening. */
export async function listen(answer: (socket: Socket) => void = () => {}): Promise<Listener> {
  const requests: Request[] = [];
  let connections = 0;
  let open = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections++;
    open++;
    socket.once("close", () => open--);
    sockets.add(socket);
    let bytes = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (bytes += chunk));
    socket.on("error", () => {});
    socket.on("end", () => {
      const [head = "", ...body] = bytes.split("\r\n\r\n");
      requests.push({ head, body: body.join("\r\n\r\n") });
    });
    answer(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connections,
    async take(count) {
      // What is still on its way counts: nobody may say more than was asked for.
      await expect.poll(() => open === 0 && requests.length >= count, { timeout: 10_000 }).toBe(true);
      return requests.splice(0);
    },
  };
}
