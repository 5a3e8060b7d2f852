/**
 * Copilot's own record of a session, `session-state/<id>/events.jsonl`: one JSON object a line, `{type, data, timestamp, agentId?}`; those
 * of subagents bear an `agentId` (1.0.102). Undocumented: what does not look as expected counts as missing.
 */
import { join } from "node:path";

export type Fields = Readonly<Record<string, unknown>>;

export interface SessionRecord {
  type: string;
  data: Fields;
  /** The subagent it is of. */
  agent?: string;
  /** Milliseconds since 1970. */
  time: number;
}

/** @param home Copilot's folder */
export function recordFile(home: string, session: string): string | undefined {
  return /^[\w-]{1,128}$/.test(session) ? join(home, "session-state", session, "events.jsonl") : undefined;
}

/** What is read of a session's course. Nobody's words are in these, but for prompts, which are not kept. */
export const COURSE: RegExp =
  /"type":"(?:user\.message|assistant\.turn_start|system\.notification|abort|session\.(?:start|resume|error|shutdown)|permission\.(?:requested|completed)|tool\.execution_(?:start|complete)|subagent\.(?:started|completed)|hook\.start)"/;

/** The same, and what the agent has said. */
export const COURSE_AND_REPLIES: RegExp = new RegExp(`${COURSE.source}|"type":"assistant\\.message"`);

/** Whole lines to records. @param wanted matches the lines that are looked at */
export function parseRecords(text: string, wanted: RegExp): SessionRecord[] {
  return text.split("\n").flatMap((line) => (wanted.test(line) ? (parseRecord(line) ?? []) : []));
}

function parseRecord(line: string): SessionRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Cut off at the tail's beginning, or not written to its end.
    return undefined;
  }
  const { type, data, agentId, timestamp } = fields(value);
  const time = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  if (typeof type !== "string" || Number.isNaN(time)) return undefined;
  return { type, data: fields(data), ...(typeof agentId === "string" && { agent: agentId }), time };
}

export function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

export function text(from: Fields, key: string): string | undefined {
  const value = from[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The record that says which of Copilot's hooks began, and when: what came before it is complete. */
export function isHook(record: SessionRecord, hook: string, time?: number): boolean {
  if (record.type !== "hook.start" || record.agent !== undefined || record.data["hookType"] !== hook) return false;
  return time === undefined || fields(record.data["input"])["timestamp"] === time;
}
