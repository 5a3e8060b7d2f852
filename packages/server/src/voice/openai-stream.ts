/** What a server that speaks OpenAI's chat dialect sends back, read as it comes. */
import type { Call } from "./home/tools.ts";
import { createCalls } from "./openai-calls.ts";

/** What a model says, and the tools it wants to use first. */
export interface Said {
  text: string;
  calls: Call[];
}

/** Takes an answer's bytes and keeps what the model has said so far. */
export interface Reply {
  /** @returns whether more is wanted */
  take(chunk: string): boolean;
  /** All of it; to be called at the answer's end. @throws Error with what the server said instead of an answer */
  said(): Said;
}

/** Characters of an answer's body that are read, at most. */
const MAX_BODY = 512 * 1024;

/**
 * Reads a stream of `data:` lines (llama.cpp server, LM Studio, Ollama's `/v1`), JSON lines (Ollama's `/api/chat`), or one JSON object:
 * some servers do not stream whatever they are asked.
 * @param isEnough whether what was said so far will do, so that the rest need not be waited for
 */
export function createReply(contentType: string, isEnough: (text: string) => boolean): Reply {
  const isWhole = !/event-stream|ndjson/i.test(contentType);
  let rest = "";
  let said = "";
  let size = 0;
  const calls = createCalls();

  function hear(body: unknown): void {
    const message = messageOf(body);
    said += typeof message["content"] === "string" ? message["content"] : "";
    calls.take(message["tool_calls"]);
  }

  function line(text: string): void {
    // llama.cpp's server once told of errors in lines of their own.
    const data = text.replace(/^(?:data|error):/, "").trim();
    if (data === "" || data === "[DONE]" || /^(?:event|id|retry|:)/.test(text)) return;
    hear(parse(data));
  }

  return {
    take(chunk) {
      size += chunk.length;
      rest += chunk;
      if (size > MAX_BODY) return false;
      if (isWhole) return true;
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const one of lines) line(one);
      return !isEnough(said);
    },
    said() {
      if (isWhole) hear(parse(rest));
      else if (rest !== "") line(rest);
      return { text: said, calls: calls.all() };
    },
  };
}

/** What a refusal says, in any of the dialects: `{error: {message}}`, `{error: "…"}`, `{message}`. */
export function errorOf(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  const { error, message } = body;
  const found = isObject(error) ? error["message"] : (error ?? message);
  return typeof found === "string" ? found : undefined;
}

/** What is no JSON is undefined. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function messageOf(body: unknown): Record<string, unknown> {
  const problem = errorOf(body);
  if (problem !== undefined) throw new Error(problem);
  if (!isObject(body)) throw new Error("its answer is no JSON");
  const choices = body["choices"];
  const first: unknown = Array.isArray(choices) ? choices[0] : body;
  const message = isObject(first) ? (first["delta"] ?? first["message"]) : undefined;
  return isObject(message) ? message : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
