/** A server that answers as a test says, in the dialect it says. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Asked {
  path: string;
  key: string | undefined;
  body: {
    model?: string;
    messages: { role: string; content: string; tool_calls?: unknown[]; tool_call_id?: string; tool_name?: string }[];
    tools?: { function: { name: string; parameters: object } }[];
    tool_choice?: string;
    stream: boolean;
  };
}

/** A tool a model wants to use. */
export interface Called {
  name: string;
  args: object;
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

/** The same with tool calls, their arguments in pieces, as OpenAI, llama.cpp server and LM Studio send them. */
export function streamingCalls(calls: readonly Called[], content = ""): Answering {
  return (response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    const send = (delta: object): void => void response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
    if (content) send({ content });
    for (const [index, { name, args }] of calls.entries()) {
      send({ tool_calls: [{ index, id: `id-${index}`, type: "function", function: { name, arguments: "" } }] });
      for (const piece of JSON.stringify(args).match(/.{1,7}/gsu) ?? [])
        send({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
    response.end("data: [DONE]\n\n");
  };
}

/** The same from Ollama's `/v1`: each call whole, and all with one index, as it once sent them. */
export function streamingWholeCalls(calls: readonly Called[]): Answering {
  return (response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    const all = calls.map(({ name, args }, at) => ({
      index: 0,
      id: `call_${at}x`,
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    }));
    response.end(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "", tool_calls: all } }] })}\n\ndata: [DONE]\n\n`,
    );
  };
}

/** A server that does not stream. */
export function whole(content: string | null, calls: readonly Called[] = []): Answering {
  const tool_calls = calls.map(({ name, args }, at) => ({
    id: `id-${at}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  const message = { role: "assistant", content, ...(calls.length > 0 ? { tool_calls } : {}) };
  return (response) => {
    response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" });
    response.end(JSON.stringify({ object: "chat.completion", choices: [{ index: 0, message }] }));
  };
}

/** Ollama's own `/api/chat`: a call has no id, and its arguments are an object. */
export function jsonLines(pieces: readonly string[], calls: readonly Called[] = []): Answering {
  return (response) => {
    response.writeHead(200, { "Content-Type": "application/x-ndjson" });
    for (const { name, args } of calls) {
      const tool_calls = [{ function: { name, arguments: args } }];
      response.write(`${JSON.stringify({ model: "m", message: { role: "assistant", content: "", tool_calls }, done: false })}\n`);
    }
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
