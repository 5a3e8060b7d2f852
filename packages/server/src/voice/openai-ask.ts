import { createRequire } from "node:module";
import type * as NodeHttps from "node:https";
import { http } from "@moth-companion/core/node-http";
import { oneLine } from "@moth-companion/core/text";
import { createReply, errorOf, parse } from "./openai-stream.ts";

export interface Message {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface Endpoint {
  /** `http://127.0.0.1:11434`, `…/v1`, or the whole path. */
  url: string;
  /** Empty: left to the server. */
  model: string;
  key: string | undefined;
}

/** The model took too long. */
export class TooLate extends Error {}

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
 * @param isEnough whether what was said so far will do
 * @throws TooLate, or Error with a sentence for the person
 */
export function askModel(
  { url: given, model, key }: Endpoint,
  messages: readonly Message[],
  options: { timeoutMs: number; isEnough: (text: string) => boolean },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const url = chatUrl(given);
    const body = JSON.stringify({
      ...(model ? { model } : {}),
      messages,
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
    const timer = setTimeout(() => fail(new TooLate(`no answer within ${options.timeoutMs / 1000} seconds`)), options.timeoutMs);
    outgoing.on("error", (error: NodeJS.ErrnoException) => fail(new Error(reasonOf(error))));
    outgoing.on("response", (incoming) => {
      const isRefused = incoming.statusCode !== 200;
      const reply = createReply(isRefused ? "" : (incoming.headers["content-type"] ?? ""), options.isEnough);
      let raw = "";
      const done = (): void => {
        try {
          if (isRefused) throw new Error(refusal(incoming.statusCode, raw));
          const text = reply.text();
          end(() => resolve(text));
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

function refusal(status: number | undefined, body: string): string {
  return `it answered ${status}: ${oneLine(errorOf(parse(body)) ?? body).slice(0, MAX_ERROR) || "nothing more"}`;
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
