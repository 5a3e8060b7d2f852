import { createRequire } from "node:module";
import type * as NodeHttps from "node:https";
import { http } from "@moth-companion/core/node-http";
import { oneLine } from "@moth-companion/core/text";
import type { Call, ToolSpec } from "./home/tools.ts";
import { createReply, errorOf, parse, type Said } from "./openai-stream.ts";

/** `calls`: what the model wanted to use; `call`: whose answer this is. */
export type Message =
  | { role: "system" | "user" | "assistant"; content: string; calls?: readonly Call[] }
  | { role: "tool"; content: string; call: Call };

export interface Endpoint {
  /** `http://127.0.0.1:11434`, `…/v1`, or the whole path. */
  url: string;
  /** Empty: left to the server. */
  model: string;
  key: string | undefined;
}

/** The model took too long. */
export class TooLate extends Error {}

/** The server answered with an error; `status` as HTTP has it, 200 when it came within the answer. */
export class Refused extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

export interface AskOptions {
  timeoutMs: number;
  /** Whether what was said so far will do. */
  isEnough: (text: string) => boolean;
  /** What the model may use; none unless given. */
  tools?: readonly ToolSpec[] | undefined;
  /** It has used them often enough and must speak now. */
  mustSpeak?: boolean;
}

/** Tokens of an answer, at most; a thinking model needs some before it speaks. */
const MAX_TOKENS = 400;
const MAX_ERROR = 200;

/** Where a chat is asked for: what the person gave, with the path that is missing. @throws TypeError when it is no URL */
export function chatUrl(given: string): URL {
  const url = new URL(given);
  const path = url.pathname.replace(/\/+$/, "");
  if (!/\/chat(?:\/completions)?$/.test(path)) url.pathname = `${path === "" ? "/v1" : path}/chat/completions`;
  return url;
}

/**
 * One question to a model, straight to its address: no proxy of the environment is followed.
 * @throws TooLate, Refused, or Error, with a sentence for the person
 */
export function askModel({ url: given, model, key }: Endpoint, messages: readonly Message[], options: AskOptions): Promise<Said> {
  return new Promise((resolve, reject) => {
    const url = chatUrl(given);
    const { tools } = options;
    const body = JSON.stringify({
      ...(model ? { model } : {}),
      messages: messages.map(url.pathname.endsWith("/api/chat") ? ollamaMessage : openAiMessage),
      ...(tools ? { tools, tool_choice: options.mustSpeak ? "none" : "auto" } : {}),
      stream: true,
      max_tokens: MAX_TOKENS,
      temperature: 0.9,
    });
    const { Agent, request } = url.protocol === "https:" ? https() : http;
    const agent = new Agent({ keepAlive: false });
    const headers = {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
    };
    const outgoing = request(url, { method: "POST", agent, headers });
    const end = (finish: () => void): void => {
      clearTimeout(timer);
      outgoing.destroy();
      agent.destroy();
      finish();
    };
    const fail = (error: unknown): void => end(() => reject(error instanceof Error ? error : new Error(String(error))));
    const timer = setTimeout(() => fail(new TooLate("no answer in time")), options.timeoutMs);
    outgoing.on("error", (error: NodeJS.ErrnoException) => fail(new Error(reasonOf(error))));
    outgoing.on("response", (incoming) => {
      const isRefused = incoming.statusCode !== 200;
      const reply = createReply(isRefused ? "" : (incoming.headers["content-type"] ?? ""), options.isEnough);
      let raw = "";
      const done = (): void => {
        try {
          if (isRefused) throw refusal(incoming.statusCode ?? 0, raw);
          const said = reply.said();
          end(() => resolve(said));
        } catch (error) {
          fail(error);
        }
      };
      incoming.setEncoding("utf8");
      incoming.on("data", (chunk: string) => {
        try {
          if (isRefused) raw += raw.length < 10_000 ? chunk : "";
          else if (!reply.take(chunk)) done();
        } catch (error) {
          fail(error);
        }
      });
      incoming.on("end", done);
      incoming.on("error", (error: NodeJS.ErrnoException) => fail(new Error(reasonOf(error))));
    });
    outgoing.end(body);
  });
}

function openAiMessage(message: Message): object {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.call.id, content: message.content };
  const { role, content, calls } = message;
  if (!calls) return { role, content };
  const called = calls.map(({ id, name, args }) => ({ id, type: "function", function: { name, arguments: sound(args) } }));
  return { role, content, tool_calls: called };
}

/** Ollama's `/api/chat` wants arguments as an object, and knows a tool by its name. */
function ollamaMessage(message: Message): object {
  if (message.role === "tool") return { role: "tool", tool_name: message.call.name, content: message.content };
  const { role, content, calls } = message;
  if (!calls) return { role, content };
  const called = calls.map(({ name, args }) => ({ function: { name, arguments: parse(sound(args)) } }));
  return { role, content, tool_calls: called };
}

/** Arguments that can be read: llama.cpp's server refuses a history in which some cannot. */
function sound(args: string): string {
  const value = parse(args);
  return typeof value === "object" && value !== null ? args : "{}";
}

function refusal(status: number, body: string): Refused {
  const why = oneLine(errorOf(parse(body)) ?? body).slice(0, MAX_ERROR) || "nothing more";
  return new Refused(`it answered ${status}: ${why}`, status);
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return code === "ECONNREFUSED"
    ? "nothing listens there"
    : code === "ECONNRESET"
      ? "it cut the connection off"
      : (code ?? message);
}

function https(): typeof NodeHttps {
  return createRequire(import.meta.url)("node:https") as typeof NodeHttps;
}
