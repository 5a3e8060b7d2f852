/**
 * Where a session's latest turn has come to, from Qwen Code's own recording `<home>/projects/<folder>/chats/<session>.jsonl` (0.24.4).
 * Read, never written; nothing of what was said is kept.
 */
import type { Outcome } from "@moth-companion/core/protocol";
import { readTail } from "../tail.ts";

export interface Standing {
  /** What became of the turn if no Stop tells. */
  outcome: Outcome;
  /** Milliseconds since 1970 at which its last record was written. */
  at: number;
}

/** As much of the recording's end as is looked at. */
const TAIL_BYTES = 512 * 1024;
/** A tool's result, or its refusal, may be written a moment after the hook began. */
const LOOKS_MS = [0, 60, 120, 180];

/**
 * Reads at most four times, 360 ms at most.
 * @param until milliseconds since 1970: a prompt that was recorded later is of another turn, with all that follows it
 * @returns undefined when nobody can tell
 */
export async function readStanding(file: string | undefined, until: number): Promise<Standing | undefined> {
  let standing: Standing | undefined;
  for (const delay of file === undefined ? [] : LOOKS_MS) {
    // Not `node:timers/promises`: loading it would cost every hook a millisecond for the rare one that waits.
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    const tail = readTail(file ?? "", TAIL_BYTES);
    if (tail === undefined) break;
    const last = lastRecord(tail.split("\n"), until);
    standing = last.standing;
    if (!last.calls) break;
  }
  return standing;
}

/** `calls`: the last record calls a tool, so there is more to come. */
function lastRecord(lines: readonly string[], until: number): { standing: Standing | undefined; calls: boolean } {
  let erred = false;
  /** Of a tool whose call was before that, its result is of the same turn. */
  let result: number | undefined;
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] ?? "";
    if (line.includes('"qwen-code.api_error"')) erred = true;
    if (!/"type":"(?:user|assistant|tool_result)"/.test(line)) continue;
    const record = parse(line);
    const at = typeof record?.["timestamp"] === "string" ? Date.parse(record["timestamp"]) : Number.NaN;
    const { type, provenance } = record ?? {};
    if (Number.isNaN(at) || (type !== "user" && type !== "assistant" && type !== "tool_result")) continue;
    if (at > until) {
      erred = false;
      result = type === "tool_result" ? at : undefined;
      continue;
    }
    // A turn that Qwen Code begins by itself, with a subagent's news.
    if (type === "user" && provenance !== undefined && provenance !== "real_user") return { standing: undefined, calls: false };
    const calls = type === "assistant" && line.includes('"functionCall"');
    if (calls && result !== undefined) return { standing: { outcome: "interrupted", at: result }, calls: false };
    return { standing: { outcome: erred ? "failed" : "interrupted", at }, calls };
  }
  return { standing: undefined, calls: false };
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Cut off at the tail's beginning, or not written to its end.
    return undefined;
  }
}
