import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { started } from "../test/support.ts";
import { probe } from "./probe.ts";

/** Something that holds a port and treats its callers so. */
function holder(serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    serve(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

const answering = (answer: string) => (socket: Socket) => void socket.once("data", () => socket.end(answer));

test("another moth is known by its answer", async () => {
  const { port } = await started();
  expect(await probe({ host: "127.0.0.1", port })).toBe(`another moth (version 1.2.3, pid ${process.pid})`);
});

test.each([
  [
    "HTTP/1.1 404 Not Found\r\nServer: nginx/1.2\r\nContent-Length: 0\r\n\r\n",
    "an HTTP server (it answered 404, Server: nginx/1.2)",
  ],
  ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "an HTTP server (it answered 200)"],
  [`HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n{"name":"mouse"}`, "an HTTP server (it answered 200)"],
  [`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(100_000)}`, "an HTTP server (it answered 200)"],
  ["SSH-2.0-OpenSSH_9.2\r\n", "something that does not speak HTTP"],
  ["", "something that hangs up at once"],
])("what answers %j is told", async (answer, expected) => {
  const port = await holder(answering(answer));
  expect(await probe({ host: "127.0.0.1", port })).toBe(expected);
});

test("what does not answer is not waited for", async () => {
  const port = await holder(() => undefined);
  expect(await probe({ host: "127.0.0.1", port }, 50)).toBe("something that takes connections but does not answer");
});
