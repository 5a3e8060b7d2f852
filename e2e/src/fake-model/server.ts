import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropic } from "./anthropic.ts";
import { gemini } from "./gemini.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { until } from "../wait.ts";
import { answer } from "./conversation.ts";
import type { Dialect } from "./dialect.ts";
import type { Move } from "./script.ts";

const dialects: readonly Dialect[] = [anthropic, openaiChat, gemini, openaiResponses];

/** One request as it reached the fake model. */
interface ModelRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as sent. */
  body: string;
  /** The dialect's id; `other`: no question to a model. */
  dialect: string;
  kind: "turn" | "side" | "other";
  session?: string;
  /** The last thing said in the person's name. */
  prompt: string;
  /** Names of the holds this request has come to and not left. */
  held: string[];
}

export interface FakeModel {
  /** Base URL, without a slash at the end. */
  url: string;
  requests: readonly ModelRequest[];
  /** Waits for a request that answers the description. */
  request(what: string, match: (request: ModelRequest) => boolean): Promise<ModelRequest>;
  /** Waits until a request has come to `[[hold: name]]`. */
  held(name?: string): Promise<ModelRequest>;
  /** Lets every request go on that is held by this name. */
  release(name?: string): void;
  close(): Promise<void>;
}

/** Starts a model API on a free port of 127.0.0.1 that answers as the prompts say. */
export async function startFakeModel(): Promise<FakeModel> {
  const requests: ModelRequest[] = [];
  const holds = new Map<string, Set<() => void>>();
  const release = (name = ""): void => {
    for (const go of holds.get(name) ?? []) go();
    holds.delete(name);
  };
  const hold = (name: string, response: ServerResponse): Promise<void> =>
    new Promise((resolve) => {
      const waiting = holds.get(name) ?? new Set();
      holds.set(name, waiting.add(resolve));
      response.once("close", resolve);
    });

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (incoming.url ?? "/").replace(/\?.*/, "");
    const request: ModelRequest = {
      method: incoming.method ?? "",
      path,
      headers: incoming.headers,
      body: "",
      dialect: "other",
      kind: "other",
      prompt: "",
      held: [],
    };
    for await (const chunk of incoming.setEncoding("utf8")) request.body += chunk as string;
    const dialect = dialects.find((one) => request.method === "POST" && one.accepts(path));
    if (!dialect) {
      requests.push(request);
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
      return;
    }
    const body = JSON.parse(request.body) as unknown;
    const { kind, prompt, step } = answer(dialect.read(body));
    const session = dialect.session(incoming.headers, body);
    Object.assign(request, { dialect: dialect.id, kind, prompt, ...(session && { session }) });
    requests.push(request);

    const error = step.find((move): move is Move & { do: "error" } => move.do === "error");
    if (error) return dialect.fail(response, error.status);
    const stream = dialect.stream(response, body);
    for (const [at, move] of step.entries()) {
      if (move.do === "text") stream.text(move.text);
      if (move.do === "tool") stream.tool(`toolu_${requests.length}_${at}`, move.name, move.input);
      if (move.do === "hold") {
        request.held.push(move.name);
        await hold(move.name, response);
        request.held.pop();
      }
      if (response.destroyed) return;
    }
    stream.end();
  };

  const server = createServer((incoming, response) => {
    // A script that cannot be read must show where it is looked for: in the harness's output and in the recorded requests.
    serve(incoming, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(400, { "content-type": "text/plain" }).end(String(error));
    });
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const find = (what: string, match: (request: ModelRequest) => boolean): Promise<ModelRequest> =>
    until(`the model to be asked: ${what}`, () => requests.find(match), { facts: () => requests.map(describe) });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    request: find,
    held: (name = "") => find(`hold "${name}"`, (request) => request.held.includes(name)),
    release,
    close() {
      for (const name of holds.keys()) release(name);
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function describe(request: ModelRequest): string {
  return `${request.method} ${request.path} ${request.kind} ${request.session ?? ""} ${JSON.stringify(request.prompt.slice(0, 120))}`;
}
