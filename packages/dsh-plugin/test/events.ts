/** Events as dsh 0.1.0-rc.8 makes them, for stories that were not recorded. */
import { createHash } from "node:crypto";
import type { Recorded } from "./harness.ts";

export const ROOT = "session-1";

/** An event of a session; of a subagent's, when it has an employer. */
export function event(type: string, data: object = {}, session: string = ROOT, employer?: string): Recorded {
  return { on: "session/event", session: place(session, employer), event: { type, seq: 1, time: 1, data } };
}

function place(id: string, employer?: string): { id: string; header: object } {
  return { id, header: { id, cwd: "/home/ada/code/repo", ...(employer && { parentSession: employer, origin: "subagent" }) } };
}

export const began = (session?: string, employer?: string): Recorded => event("turn/start", { turn: 1 }, session, employer);

export function said(text: string, session?: string, employer?: string, more: object = {}): Recorded {
  const message = {
    role: "assistant",
    id: idOf(text),
    content: [
      { type: "reasoning", text: "Hm." },
      { type: "text", text },
    ],
  };
  return event("assistant/message", { turn: 1, step: 1, message, ...more }, session, employer);
}

export function ended(kind: string, session?: string, employer?: string, more: object = {}): Recorded {
  return event("turn/end", { turn: 1, reason: { kind, ...more } }, session, employer);
}

export function disposed(session: string, employer?: string): Recorded {
  return { on: "session/disposed", session: place(session, employer) };
}

/** One for each text, with none of it in it. */
export function idOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
