/** The door: foreign sessions and events into our own words. Unknown fields and wrong types count as missing; nothing here throws. */
import type { Outcome, WaitKind } from "@moth-companion/core/protocol";
import { type Read, readApproval, readPlan, readQuestion } from "./asks.ts";
import { field, list, text } from "@moth-companion/core/fields";

/** Whose event it is. */
export interface Place {
  session: string;
  folder: string | undefined;
  /** The session a subagent works for. A copy of a session has an origin, too, and is nobody's subagent. */
  worksFor: string | undefined;
}

/** What happened in a session. */
export type Happening =
  | { what: "began" }
  /** The model has answered; a turn with tools has several. Without words it is no reply. */
  | { what: "said"; text: string; id: string | undefined }
  | { what: "asked"; id: string; kind: WaitKind; tool: string | undefined; read: Read }
  | { what: "answered"; id: string }
  /** `whole`: what was said last is the reply. Else the turn broke off, and it is not. */
  | { what: "ended"; outcome: Outcome; whole: boolean };

/** Reads a session. Shape as in dsh 0.1.0-rc.8. */
export function readPlace(session: unknown): Place | undefined {
  const id = text(session, "id");
  if (id === undefined) return undefined;
  const header = field(session, "header");
  const worksFor = field(header, "origin") === "subagent" ? (text(header, "parentSession") ?? id) : undefined;
  return { session: id, folder: text(header, "cwd"), worksFor };
}

/** Reads one event of a session's log. */
export function readHappening(session: unknown, event: unknown): Happening | undefined {
  const data = field(event, "data");
  switch (field(event, "type")) {
    case "turn/start":
      return { what: "began" };
    case "assistant/message":
      return readSaid(data);
    case "approval/asked":
      return asked(text(data, "id"), "permission", text(data, "toolName"), readApproval(session, data));
    case "approval/decided":
      return answered(text(data, "id"));
    case "tool/call": {
      const tool = text(data, "name");
      const asking = tool !== undefined && Object.hasOwn(ASKING, tool) ? ASKING[tool] : undefined;
      return asking && asked(text(data, "callId"), asking.kind, tool, asking.read(session, data));
    }
    case "tool/result":
      return answered(text(field(field(data, "message"), "source"), "callId"));
    case "turn/end":
      return readEnd(field(data, "reason"));
    default:
      return undefined;
  }
}

/** Tools by which the model asks the person. Nothing but their call and its result tells of the dialog. */
const ASKING: Readonly<Record<string, { kind: WaitKind; read: (session: unknown, data: unknown) => Read }>> = {
  ask_user_question: { kind: "question", read: readQuestion },
  exit_plan_mode: { kind: "plan", read: readPlan },
};

function asked(id: string | undefined, kind: WaitKind, tool: string | undefined, read: Read): Happening | undefined {
  return id === undefined ? undefined : { what: "asked", id, kind, tool, read };
}

function answered(id: string | undefined): Happening | undefined {
  return id === undefined ? undefined : { what: "answered", id };
}

function readSaid(data: unknown): Happening | undefined {
  // What was said until it was stopped.
  if (field(data, "interrupted") === true) return undefined;
  const message = field(data, "message");
  const blocks = list(field(message, "content"));
  // Joined as dsh's own one-shot run prints it; thoughts and tool calls are no text.
  const words = blocks.flatMap((block) => (field(block, "type") === "text" ? (text(block, "text") ?? []) : [])).join("");
  return { what: "said", text: words, id: text(message, "id") };
}

/** Error codes that say: not now, or not so much. */
const LIMITS = new Set(["RATE_LIMIT", "QUOTA"]);

function readEnd(reason: unknown): Happening {
  switch (field(reason, "kind")) {
    case "completed":
      return { what: "ended", outcome: "done", whole: true };
    case "max-tokens":
      return { what: "ended", outcome: "limit", whole: true };
    case "aborted":
    case "interrupted":
      return { what: "ended", outcome: "interrupted", whole: false };
    default: {
      const code = text(field(reason, "error"), "code") ?? "";
      return { what: "ended", outcome: LIMITS.has(code) ? "limit" : "failed", whole: false };
    }
  }
}

/** Reads what a command was called with, and where. */
export function readCall(call: unknown): { session: string | undefined; words: string } {
  return { session: text(field(field(call, "agent"), "session"), "id"), words: text(call, "rawInput") ?? "" };
}
