/** The door: what a harness's event says of a session, or nothing. Unknown events, unknown fields and wrong types say nothing. */
import type { Outcome } from "@moth-companion/core/protocol";
import { field, text } from "@moth-companion/core/fields";

/** One fact about one session. Events as seen on OpenCode 1.18.33 and Kilo 7.7.7. */
export type Heard = { session: string } & (
  | ({ what: "session" } & Info)
  | { what: "deleted" }
  | { what: "busy" }
  | { what: "idle" }
  | { what: "error"; outcome: Outcome }
  | { what: "message"; message: Message }
  | { what: "text"; message: string; part: string; text: string }
  /** The harness itself asks the agent to go on after it has made room in the conversation. */
  | { what: "continuation"; message: string }
  /** `asked`: all that the harness says of it. */
  | { what: "asked"; id: string; kind: "permission" | "question"; tool: string | undefined; asked: unknown }
  | { what: "answered"; id: string }
);

export interface Info {
  session: string;
  /** The session whose subagent this one is. */
  parent: string | undefined;
  folder: string | undefined;
}

/** One message of the agent's. A turn with tools has several. */
export interface Message {
  id: string;
  /** The message of the person's that it answers. */
  answers: string | undefined;
  /** It will not change any more. */
  complete: boolean;
  /** Why it ended: `stop`, `tool-calls`, `length`. */
  finish: string | undefined;
  failed: boolean;
  /** It sums the conversation up and is no reply. */
  summary: boolean;
}

/** Reads one event of the harness's bus. Does not throw. */
export function readEvent(event: unknown): Heard | undefined {
  const type = text(event, "type");
  // By far the most frequent, and of no use.
  if (type === undefined || type === "message.part.delta") return undefined;
  const properties = field(event, "properties");
  const session = text(properties, "sessionID");
  switch (type) {
    case "session.created":
    case "session.updated": {
      const info = readInfo(field(properties, "info"));
      return info && { what: "session", ...info };
    }
    case "session.deleted": {
      const gone = session ?? text(field(properties, "info"), "id");
      return gone === undefined ? undefined : { what: "deleted", session: gone };
    }
  }
  if (session === undefined) return undefined;
  switch (type) {
    case "session.status": {
      const status = text(field(properties, "status"), "type");
      // `retry`: the model could not be reached and the turn goes on later.
      if (status === "busy" || status === "retry") return { what: "busy", session };
      return status === "idle" ? { what: "idle", session } : undefined;
    }
    case "session.error":
      return { what: "error", session, outcome: outcomeOf(field(properties, "error")) };
    case "message.updated":
      return readMessage(field(properties, "info"), session);
    case "message.part.updated":
      return readPart(field(properties, "part"), session);
    case "permission.asked":
      return asked(properties, session, "permission", text(properties, "permission"));
    case "question.asked":
      return asked(properties, session, "question", "question");
    case "permission.replied":
    case "question.replied":
    case "question.rejected": {
      const id = text(properties, "requestID");
      return id === undefined ? undefined : { what: "answered", session, id };
    }
    default:
      return undefined;
  }
}

/** Reads what the harness knows of a session. */
export function readInfo(info: unknown): Info | undefined {
  const session = text(info, "id");
  return session === undefined ? undefined : { session, parent: text(info, "parentID"), folder: text(info, "directory") };
}

function readMessage(info: unknown, session: string): Heard | undefined {
  const id = text(info, "id");
  if (id === undefined || field(info, "role") !== "assistant") return undefined;
  const message: Message = {
    id,
    answers: text(info, "parentID"),
    complete: typeof field(field(info, "time"), "completed") === "number",
    finish: text(info, "finish"),
    failed: typeof field(info, "error") === "object" && field(info, "error") !== null,
    summary: field(info, "summary") === true,
  };
  return { what: "message", session, message };
}

function readPart(part: unknown, session: string): Heard | undefined {
  const id = text(part, "id");
  const message = text(part, "messageID");
  if (id === undefined || message === undefined || field(part, "type") !== "text") return undefined;
  if (field(field(part, "metadata"), "compaction_continue") === true) return { what: "continuation", session, message };
  const words = text(part, "text");
  if (words === undefined || field(part, "synthetic") === true || field(part, "ignored") === true) return undefined;
  return { what: "text", session, message, part: id, text: words };
}

function asked(
  properties: unknown,
  session: string,
  kind: "permission" | "question",
  tool: string | undefined,
): Heard | undefined {
  const id = text(properties, "id");
  return id === undefined ? undefined : { what: "asked", session, id, kind, tool, asked: properties };
}

/** Errors that say: not now, or not so much. Names as in the types of @opencode-ai/sdk 1.18.33. */
const LIMITS = new Set(["MessageOutputLengthError", "ContextOverflowError"]);

function outcomeOf(error: unknown): Outcome {
  const name = text(error, "name") ?? "";
  if (name === "MessageAbortedError") return "interrupted";
  const status = field(field(error, "data"), "statusCode");
  return LIMITS.has(name) || status === 429 || status === 402 ? "limit" : "failed";
}
