/**
 * How a session's latest turn ended, from Gemini CLI's own recording `<config>/tmp/<project>/chats/session-….jsonl` (0.61.0). When the
 * AfterAgent hook runs, the turn stands in it. Read, never written.
 */
import type { Outcome } from "@moth-companion/core/protocol";
import { readTail } from "../tail.ts";

export interface Ending {
  outcome: Outcome;
  /** The final reply. Missing: the turn ended without a word, or nobody can tell. */
  text?: string;
  /** The reply's own id. */
  turn?: string;
  /** Milliseconds since 1970 at which it was recorded. */
  at: number;
}

/** As much of the recording's end as is looked at. */
export const TAIL_BYTES: number = 512 * 1024;
/** The last record is written before the hook starts; a slow disk gets a little time. */
const LOOKS_MS = [0, 60, 120];

/** Reads at most thrice, 180 ms at most. Without a recording nothing is said of the turn but that it is over. */
export async function readEnding(file: string | undefined): Promise<Omit<Ending, "at">> {
  for (const delay of file === undefined ? [] : LOOKS_MS) {
    // Not `node:timers/promises`: loading it would cost every hook a millisecond for the rare one that waits.
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    const tail = readTail(file ?? "", TAIL_BYTES);
    if (tail === undefined) break;
    const ending = lastEnding(tail.split("\n"));
    if (ending) return ending;
  }
  return { outcome: "done" };
}

type Line = Readonly<Record<string, unknown>>;

/**
 * How the last turn in these lines ended; undefined while it has not. After a cancelled dialog the recording repeats the whole
 * conversation so far, as if it had just been said: such a copy begins with the words that begin every conversation, and has no
 * model in its replies.
 */
export function lastEnding(lines: readonly string[]): Ending | undefined {
  let ending: Ending | undefined;
  let copy = false;
  for (const line of lines) {
    const record = parse(line);
    if (!record) continue;
    if ("$set" in record) {
      if (line.startsWith('{"$set":{"messages"')) copy = false;
      continue;
    }
    const { type, content } = record;
    if (type === "user") {
      const [first] = texts(content);
      if (first?.startsWith("<session_context>")) copy = true;
      else if (first !== undefined && !copy) ending = undefined;
    } else if (type === "gemini" && typeof record["model"] === "string") {
      copy = false;
      ending = spoken(record);
    } else if (type === "error" && !copy) {
      ending = { outcome: isLimit(content) ? "limit" : "failed", at: timeOf(record) };
    } else if (type === "info" && !copy && texts(content).join("").startsWith("Request cancelled")) {
      ending = { outcome: "interrupted", at: timeOf(record) };
    }
  }
  return ending;
}

/** What was said before a tool is no reply: the turn goes on. */
function spoken(record: Line): Ending | undefined {
  const { id, content, toolCalls } = record;
  if (Array.isArray(toolCalls) && toolCalls.length > 0) return undefined;
  const text = texts(content).join("");
  if (text.trim() === "") return undefined;
  return { outcome: "done", text, at: timeOf(record), ...(typeof id === "string" && { turn: id }) };
}

function timeOf({ timestamp }: Line): number {
  return (typeof timestamp === "string" && Date.parse(timestamp)) || 0;
}

/** By the API's words in an error that Gemini CLI shows as they are. */
function isLimit(content: unknown): boolean {
  return /"code":\s*429|RESOURCE_EXHAUSTED|quota/i.test(texts(content).join(""));
}

/** The text of a message: a string, or the text parts of a list. A tool's result is no text. */
function texts(content: unknown): string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => {
    const text = typeof part === "object" && part !== null ? (part as Line)["text"] : part;
    return typeof text === "string" ? [text] : [];
  });
}

function parse(line: string): Line | undefined {
  if (!line.startsWith("{")) return undefined;
  // The whole conversation in one line: only that it is there counts.
  if (line.startsWith('{"$set"')) return { $set: true };
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Line) : undefined;
  } catch {
    // Cut off at the tail's beginning, or not written to its end.
    return undefined;
  }
}
