import type { ServerResponse } from "node:http";
import { type Conversation, type Entry, promptText } from "./conversation.ts";
import { type Dialect, field, list, string } from "./dialect.ts";

/** The Gemini API, streaming and whole, as far as Gemini CLI 0.61.0 needs it. */
export const gemini: Dialect = {
  id: "gemini",
  accepts: (path) => /^\/v1beta\/models\/[^/]+:(?:streamG|g)enerateContent$/.test(path),
  // It does not say by itself: a hook has the driver's word said with each prompt. A helper's requests have none.
  session: (_headers, body) => /^.*\bSession ID: ([\w-]+)/s.exec(read(body).everything)?.[1],
  read,

  stream(response) {
    if (!/:stream/.test(response.req.url ?? "")) return whole(response);
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    const send = (parts: object[], finish?: string): void => {
      response.write(`data: ${JSON.stringify(chunk(parts, finish))}\r\n\r\n`);
    };
    return {
      text: (text) => send([{ text }]),
      tool: (id, name, args) => send([{ functionCall: { id, name, args } }]),
      end() {
        send([], "STOP");
        response.end();
      },
    };
  },

  fail(response, status) {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { code: status, message: `scripted error ${status}`, status: "SCRIPTED" } }));
  },
};

function chunk(parts: object[], finish?: string): object {
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, ...(finish && { finishReason: finish }) }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    modelVersion: "fake",
    responseId: "fake",
  };
}

/** An answer in one piece, for those who do not ask for a stream. */
function whole(response: ServerResponse): ReturnType<Dialect["stream"]> {
  const parts: object[] = [];
  return {
    text: (text) => void parts.push({ text }),
    tool: (id, name, args) => void parts.push({ functionCall: { id, name, args } }),
    end() {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(chunk(parts, "STOP")));
    },
  };
}

function read(body: unknown): Conversation {
  const contents = list(field(body, "contents"));
  const declared = list(field(body, "tools")).flatMap((tool) => list(field(tool, "functionDeclarations")));
  return {
    entries: contents.flatMap(readContent),
    tools: declared.map((tool) => string(field(tool, "name"))),
    everything: [field(body, "systemInstruction"), ...contents].flatMap(texts).join("\n"),
  };
}

function readContent(content: unknown): Entry[] {
  if (field(content, "role") === "model") return [{ from: "agent" }];
  const entries: Entry[] = list(field(content, "parts")).some((part) => field(part, "functionResponse"))
    ? [{ from: "tool" }]
    : [];
  const text = promptText(texts(content));
  if (text !== undefined) entries.push({ from: "user", text });
  return entries;
}

function texts(content: unknown): string[] {
  return list(field(content, "parts")).flatMap((part) => string(field(part, "text")) || []);
}
