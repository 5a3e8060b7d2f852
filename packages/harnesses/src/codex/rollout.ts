/**
 * Codex's record of a session, `sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl` (0.171.0). Read, never written, and of what
 * was said nothing is kept. Undocumented: what does not look as expected counts as missing.
 */
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { readTail } from "../tail.ts";

/** As much of its end as is looked at, at first and at one time. */
const CHUNK_BYTES = 256 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The record of a session. Its id tells when it was made, and the folders are named by the day. */
export function findRollout(configDir: string, session: string): string | undefined {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(session)) return undefined;
  const made = Number.parseInt(session.replaceAll("-", "").slice(0, 12), 16);
  for (const day of [0, -DAY_MS, DAY_MS]) {
    const date = new Date(made + day);
    const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0"));
    const folder = join(configDir, "sessions", ...parts);
    const name = list(folder).find((file) => file.endsWith(`-${session}.jsonl`));
    if (name !== undefined) return join(folder, name);
  }
  return undefined;
}

/** The plan that a turn proposed; undefined when it proposed none. Looks once, at the end of the record. */
export function planIn(rollout: string, turn: string): string | undefined {
  for (const line of readTail(rollout, CHUNK_BYTES)?.split("\n") ?? []) {
    if (!line.includes('"type":"Plan"') || !line.includes(turn)) continue;
    const { payload } = parse(line) ?? {};
    if (payload?.["type"] !== "item_completed" || payload["turn_id"] !== turn) continue;
    const { item } = payload;
    const text = field(item, "text");
    if (field(item, "type") === "Plan") return typeof text === "string" ? text : "";
  }
  return undefined;
}

/** The effort of the newest turn outside plan mode, null where it was the model's own; undefined when the end of the record tells none. */
export function lastEffort(rollout: string): string | null | undefined {
  let effort: string | null | undefined;
  for (const line of readTail(rollout, CHUNK_BYTES)?.split("\n") ?? []) {
    if (!line.includes('"type":"turn_context"')) continue;
    const mode = field(parse(line)?.payload, "collaboration_mode");
    const found = field(field(mode, "settings"), "reasoning_effort");
    if (field(mode, "mode") === "default" && (found === null || typeof found === "string")) effort = found;
  }
  return effort;
}

/** One line of a record that matters here. */
export interface RolloutLine {
  /** Milliseconds since 1970. */
  at: number;
  type: string;
  payload: Readonly<Record<string, unknown>>;
}

/** Follows a record: each call gives the lines that came since the last one, at first those of its end. */
export function followRollout(file: string): () => RolloutLine[] {
  let offset: number | undefined;
  let rest = "";
  return () => {
    const read = readFrom(file, offset);
    if (!read) return [];
    // What was passed over leaves a line without its beginning.
    const passed = read.from > (offset ?? 0);
    const lines = ((passed ? "" : rest) + read.text).split("\n");
    if (passed) lines.shift();
    offset = read.to;
    // Not written to its end yet.
    rest = lines.pop() ?? "";
    return lines.flatMap((line) => (MATTERS.test(line.slice(0, 400)) ? (parse(line) ?? []) : []));
  };
}

/** Beginnings and ends of turns and of tool calls. */
const MATTERS = /"type":"(?:task_started|task_complete|turn_aborted|\w+_call|\w+_call_output)"/;

function parse(line: string): RolloutLine | undefined {
  try {
    const value = JSON.parse(line) as { timestamp?: unknown; payload?: unknown };
    const at = Date.parse(String(value.timestamp));
    const { payload } = value;
    const type = field(payload, "type") ?? field(value, "type");
    if (Number.isNaN(at) || typeof type !== "string") return undefined;
    return { at, type, payload: payload as RolloutLine["payload"] };
  } catch {
    return undefined;
  }
}

export function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** @param offset where to go on; undefined: at the end, as far as is looked at */
function readFrom(file: string, offset: number | undefined): { text: string; from: number; to: number } | undefined {
  try {
    const stat = statSync(file);
    // Opening a pipe would already wait for its writer.
    if (!stat.isFile() || (offset !== undefined && stat.size <= offset)) return undefined;
    const handle = openSync(file, "r");
    try {
      const end = fstatSync(handle).size;
      const from = Math.max(offset ?? 0, end - CHUNK_BYTES);
      const bytes = Buffer.alloc(end - from);
      const length = readSync(handle, bytes, 0, bytes.length, from);
      return { text: bytes.toString("utf8", 0, length), from, to: from + length };
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
