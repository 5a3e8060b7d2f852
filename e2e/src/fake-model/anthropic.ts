import { type Conversation, type Entry, promptText } from "./conversation.ts";
import { type Dialect, field, list, string } from "./dialect.ts";

/** The Anthropic Messages API, streaming, as far as Claude Code 2.1.332 needs it. */
export const anthropic: Dialect = {
  id: "anthropic",
  accepts: (path) => path === "/v1/messages",
  session: (headers) => string(headers["x-claude-code-session-id"]) || undefined,
  read,

  stream(response, body) {
    const model = string(field(body, "model"));
    let blocks = 0;
    let stop = "end_turn";
    const send = (type: string, data: object): void => {
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    };
    const block = (content: object, delta: object): void => {
      const index = blocks++;
      send("content_block_start", { index, content_block: content });
      send("content_block_delta", { index, delta });
      send("content_block_stop", { index });
    };
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    send("message_start", {
      message: {
        id: `msg_${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`,
        type: "message",
        role: "assistant",
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 10, output_tokens: 1 },
      },
    });
    return {
      text: (text) => block({ type: "text", text: "" }, { type: "text_delta", text }),
      tool(id, name, input) {
        stop = "tool_use";
        block({ type: "tool_use", id, name, input: {} }, { type: "input_json_delta", partial_json: JSON.stringify(input) });
      },
      end() {
        send("message_delta", { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } });
        send("message_stop", {});
        response.end();
      },
    };
  },

  fail(response, status) {
    const type = status === 529 ? "overloaded_error" : status >= 500 ? "api_error" : "invalid_request_error";
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ type: "error", error: { type, message: `scripted error ${status}` } }));
  },
};

function read(body: unknown): Conversation {
  return {
    entries: list(field(body, "messages")).flatMap(readMessage),
    tools: list(field(body, "tools")).map((tool) => string(field(tool, "name"))),
    everything: [
      ...texts(field(body, "system")),
      ...list(field(body, "messages")).flatMap((m) => texts(field(m, "content"))),
    ].join("\n"),
  };
}

function readMessage(message: unknown): Entry[] {
  const role = field(message, "role");
  const content = field(message, "content");
  if (role === "assistant") return [{ from: "agent" }];
  // The environment is described by a message of role `system` in the middle of a conversation: it is no prompt.
  if (role !== "user") return [];
  const text = promptText(texts(content));
  const entries: Entry[] = list(content).some((part) => field(part, "type") === "tool_result") ? [{ from: "tool" }] : [];
  if (text !== undefined) entries.push({ from: "user", text });
  return entries;
}

function texts(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return list(content).flatMap((part) => (field(part, "type") === "text" ? [string(field(part, "text"))] : []));
}
