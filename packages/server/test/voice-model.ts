/** A server that answers as a test says, in the dialect it says. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Asked {
  path: string;
  key: string | undefined;
  body: { model?: string; messages: { role: string; content: string }[]; stream: boolean };
}

export type Answering = (response: ServerResponse, asked: Asked) => void;

export async function fakeModel(answer: Answering): Promise<{ url: string; asked: Asked[]; closed: () => number }> {
  const asked: Asked[] = [];
  let closed = 0;
  const server = createServer((request: IncomingMessage, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    response.on("close", () => (closed += 1));
    request.on("end", () => {
      const one: Asked = { path: request.url ?? "", key: request.headers.authorization, body: JSON.parse(body) as Asked["body"] };
      asked.push(one);
      answer(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, closed: () => closed };
}

/** Ollama's `/v1`, llama.cpp server, LM Studio: server-sent events, a piece of text each; the last piece may never come. */
export function streaming(pieces: readonly string[], finish = true): Answering {
  return (response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { role: "assistant", content: null } }] })}\n\n`);
    for (const content of pieces) response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
    if (finish)
      response.end(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`);
  };
}

/** A server that does not stream. */
export function whole(content: string): Answering {
  return (response) => {
    response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" });
    response.end(JSON.stringify({ object: "chat.completion", choices: [{ index: 0, message: { role: "assistant", content } }] }));
  };
}

/** Ollama's own `/api/chat`. */
export function jsonLines(pieces: readonly string[]): Answering {
  return (response) => {
    response.writeHead(200, { "Content-Type": "application/x-ndjson" });
    for (const content of pieces)
      response.write(`${JSON.stringify({ model: "m", message: { role: "assistant", content }, done: false })}\n`);
    response.end(`${JSON.stringify({ model: "m", message: { role: "assistant", content: "" }, done: true })}\n`);
  };
}

export function refusing(status: number, body: string): Answering {
  return (response) => {
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(body);
  };
}
