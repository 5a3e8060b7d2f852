import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startRecorder } from "./network.ts";

it("the recorder passes on what is meant for this machine, refuses the rest, and records both", async () => {
  const server = createServer((_request, response) => response.end("from this machine"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const recorder = await startRecorder();
  onTestFinished(() => recorder.close());

  const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}/path`;
  expect(await through(recorder.port, local)).toBe("200 from this machine");
  expect(await through(recorder.port, "http://example.invalid/")).toBe("502 ");
  expect(recorder.targets).toEqual([local, "http://example.invalid/"]);
});

function through(port: number, target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ port, host: "127.0.0.1", path: target, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      response.once("end", () => resolve(`${response.statusCode} ${body}`));
    }).once("error", reject);
  });
}
