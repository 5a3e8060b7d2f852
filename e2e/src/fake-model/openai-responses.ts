import { type Conversation, type Entry, promptText } from "./conversation.ts";
import { type Dialect, field, list, string } from "./dialect.ts";

/** The OpenAI Responses API, streaming, as far as Codex 0.171.0 needs it. */
export const openaiResponses: Dialect = {
  id: "openai-responses",
  accepts: (path) => path.endsWith("/responses"),
  // A subagent has a thread of its own in the session it works for.
  session: (_headers, body) =>
    isTitle(body) ? undefined : string(field(field(body, "client_metadata"), "session_id")) || undefined,
  read,

  stream(response) {
    const id = `resp_${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
    let items = 0;
    const send = (type: string, data: object): void => {
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    };
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    send("response.created", { response: { id } });
    return {
      text(text) {
        const output_index = items++;
        const item = { type: "message", id: `msg_${id}_${output_index}`, role: "assistant" };
        const content = [{ type: "output_text", text, annotations: [] }];
        send("response.output_item.added", { output_index, item: { ...item, content: [] } });
        send("response.output_text.delta", { item_id: item.id, output_index, content_index: 0, delta: text });
        send("response.output_item.done", { output_index, item: { ...item, content } });
      },
      // A name with a dot: the part before it is the tool's namespace.
      tool(call, name, input) {
        const [tool, namespace] = name.split(".").toReversed();
        const item = { type: "function_call", id: `fc_${call}`, call_id: call, name: tool, arguments: JSON.stringify(input) };
        send("response.output_item.done", { output_index: items++, item: { ...item, ...(namespace && { namespace }) } });
      },
      end() {
        const usage = {
          input_tokens: 10,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: 5,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: 15,
        };
        send("response.completed", { response: { id, usage } });
        response.end();
      },
    };
  },

  fail(response, status) {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: `scripted error ${status}`, type: "scripted", code: "scripted" } }));
  },
};

/** A terminal's request for a title comes with tools, and in a conversation of its own. */
function isTitle(body: unknown): boolean {
  const metadata = string(field(field(body, "client_metadata"), "x-codex-turn-metadata"));
  return metadata.includes('"thread_source":"thread_title"');
}

function read(body: unknown): Conversation {
  const input = list(field(body, "input"));
  return {
    entries: withoutLateNews(input).flatMap(readItem),
    tools: isTitle(body) ? [] : list(field(body, "tools")).map((tool) => string(field(tool, "name"))),
    everything: [string(field(body, "instructions")), ...input.flatMap(everyText)].join("\n"),
  };
}

/**
 * News of a subagent that come when the model has just spoken make the harness ask once more, in the same turn or in the next one.
 * In the same turn the answer stays what it was.
 */
function withoutLateNews(input: readonly unknown[]): unknown[] {
  if (!isNews(input.at(-1))) return [...input];
  const before = input.slice(0, -1);
  return field(before.at(-1), "role") === "assistant" ? before.slice(0, -1) : before;
}

function readItem(item: unknown, at: number, all: readonly unknown[]): Entry[] {
  const type = string(field(item, "type"));
  if (type.endsWith("_call_output")) return [{ from: "tool" }];
  // What one answer holds is one item each.
  if (isAnswer(item)) return isAnswer(all[at + 1]) ? [] : [{ from: "agent" }];
  if (type !== "message" || field(item, "role") !== "user") return [];
  const text = promptText(texts(field(item, "content")));
  return text === undefined || OWN_WORDS.test(text) ? [] : [{ from: "user", text }];
}

/** What the harness says in the person's name: in a tag, and when a plan is approved. */
const OWN_WORDS = /^\s*<[a-z_]+>|^Implement the plan\.$/;

function isAnswer(item: unknown): boolean {
  const type = string(field(item, "type"));
  return type.endsWith("_call") || type === "reasoning" || (type === "message" && field(item, "role") === "assistant");
}

function isNews(item: unknown): boolean {
  return texts(field(item, "content")).some((text) => text.startsWith("<subagent_notification>"));
}

function everyText(item: unknown): string[] {
  return [...texts(field(item, "content")), ...texts(field(item, "output"))];
}

function texts(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return list(content).flatMap((part) => (typeof field(part, "text") === "string" ? [string(field(part, "text"))] : []));
}
