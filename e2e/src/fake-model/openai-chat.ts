import type { ServerResponse } from "node:http";
import { type Conversation, type Entry, promptText } from "./conversation.ts";
import { type Dialect, field, list, string } from "./dialect.ts";

/** The OpenAI Chat Completions API, streaming, as far as OpenCode 1.18.33, Kilo 7.7.7, Pi 1.6.0, omp 18.2.3, Hermes 0.19.0, Copilot 1.0.102 and Qwen Code 0.24.4 need it. */
export const openaiChat: Dialect = {
  id: "openai-chat",
  accepts: (path) => path.endsWith("/chat/completions"),
  // A subagent's requests carry its own id; the session it works for stands beside it. Kilo marks those for a title.
  session: (headers, body) =>
    string(headers["x-parent-session-id"]) ||
    string(headers["x-session-id"]).replace(/^title-/, "") ||
    rootId(string(headers["x-deepseek-harness-session-id"])) ||
    cacheKey(body) ||
    toldId(body) ||
    toldFolder(body) ||
    saidId(body) ||
    undefined,
  read,

  stream(response, body) {
    if (field(body, "stream") !== true) return whole(response);
    const about = {
      id: `chatcmpl-${Date.now().toString(36)}`,
      object: "chat.completion.chunk",
      created: 0,
      model: field(body, "model"),
    };
    let tools = 0;
    const send = (delta: object, finish: string | null = null, more: object = {}): void => {
      const chunk = { ...about, choices: [{ index: 0, delta, finish_reason: finish }], ...more };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    send({ role: "assistant", content: "" });
    return {
      text: (text) => send({ content: text }),
      tool(id, name, input) {
        const index = tools++;
        send({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
        send({ tool_calls: [{ index, function: { arguments: JSON.stringify(input) } }] });
      },
      end() {
        send({}, tools > 0 ? "tool_calls" : "stop", { usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });
        response.end("data: [DONE]\n\n");
      },
    };
  },

  fail(response, status) {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: `scripted error ${status}`, type: "scripted", code: status } }));
  },
};

/** Pi and omp name their session where the API keeps what it has read before. A helper of omp's, which alone can `yield`, is none. */
function cacheKey(body: unknown): string {
  return read(body).tools.includes("yield") ? "" : string(field(body, "prompt_cache_key"));
}

/** dsh names each session; the id of a subagent's has no such beginning. */
function rootId(id: string): string {
  return id.startsWith("session-") ? id : "";
}

/** Hermes tells the model its session's id when it is asked to, not that of a helper. */
function toldId(body: unknown): string {
  const system = list(field(body, "messages")).filter((message) => field(message, "role") === "system");
  return /^Session ID: (\S+)$/m.exec(system.flatMap((message) => texts(field(message, "content"))).join("\n"))?.[1] ?? "";
}

/** Of Qwen Code's sessions a hook of the driver's tells with each prompt. A helper's requests have no such word. */
function saidId(body: unknown): string {
  return /^.*^Session ID: ([\w-]+)$/ms.exec(read(body).everything)?.[1] ?? "";
}

/** Copilot tells the model its session's folder, not that of a helper. */
function toldFolder(body: unknown): string {
  const [first] = list(field(body, "messages"));
  const system = texts(field(first, "content")).join("\n");
  return /^Session folder: .*[/\\]session-state[/\\](\S+)$/m.exec(system)?.[1] ?? "";
}

/** An answer in one piece, for those who do not ask for a stream. */
function whole(response: ServerResponse): ReturnType<Dialect["stream"]> {
  let content = "";
  return {
    text: (text) => (content += text),
    tool: () => {},
    end() {
      const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ id: "chatcmpl-whole", object: "chat.completion", created: 0, model: "fake", choices }));
    },
  };
}

function read(body: unknown): Conversation {
  const messages = list(field(body, "messages"));
  return {
    entries: messages.flatMap(readMessage),
    tools: list(field(body, "tools")).map((tool) => string(field(field(tool, "function"), "name"))),
    everything: messages.flatMap((message) => texts(field(message, "content"))).join("\n"),
  };
}

function readMessage(message: unknown): Entry[] {
  switch (field(message, "role")) {
    case "assistant":
      return isOwnCall(message) ? [] : [{ from: "agent" }];
    case "tool":
      return [{ from: "tool" }];
    case "user": {
      const text = promptText(texts(field(message, "content")));
      return text === undefined ? [] : [{ from: "user", text }];
    }
    default:
      return [];
  }
}

/** Copilot calls this tool itself, in the model's name, for the news of a finished subagent. */
function isOwnCall(message: unknown): boolean {
  const calls = list(field(message, "tool_calls"));
  return calls.length > 0 && calls.every((call) => field(field(call, "function"), "name") === "read_agent");
}

function texts(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return list(content).flatMap((part) => (field(part, "type") === "text" ? [string(field(part, "text"))] : []));
}
