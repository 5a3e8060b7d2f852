/** A conversation's transcript, a line for each step. As others describe it (1.0.14 to 1.2.7). */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readTail } from "../tail.ts";

const TAIL_BYTES = 1024 * 1024;
/** It is written seconds after the turn has ended. */
const LOOK_FOR_MS = 10_000;
const LOOK_EVERY_MS = 200;

interface Step {
  step: number;
  from: "person" | "agent";
  /** Of an answer that is one: whole, with words, and with no tool still to be run. */
  text?: string;
}

/** The number of the last step so far; -1 when there is none. */
export function lastStep(transcript: string): number {
  return Math.max(-1, ...stepsOf(transcript).map(({ step }) => step));
}

/** The last reply of the turn that began after a step, as soon as it is there. Waits for 10 s at most. */
export async function replyAfter(
  transcript: string,
  step: number,
  lookForMs: number = LOOK_FOR_MS,
): Promise<{ text: string; step: number } | undefined> {
  const until = Date.now() + lookForMs;
  for (;;) {
    const reply = replyIn(stepsOf(transcript).filter((one) => one.step > step));
    if (reply || Date.now() >= until) return reply;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

function replyIn(steps: readonly Step[]): { text: string; step: number } | undefined {
  let reply: { text: string; step: number } | undefined;
  let spoken = false;
  for (const { step, from, text } of steps) {
    // The next prompt: what follows is another turn's.
    if (from === "person" && spoken) break;
    spoken ||= from === "agent";
    if (from === "agent") reply = text === undefined ? undefined : { text, step };
  }
  return reply;
}

/** The file that is told may have its long texts cut; the whole ones lie beside it. */
function stepsOf(transcript: string): Step[] {
  const whole = join(dirname(transcript), "transcript_full.jsonl");
  const file = basename(transcript) === "transcript.jsonl" && existsSync(whole) ? whole : transcript;
  return (readTail(file, TAIL_BYTES) ?? "")
    .split("\n")
    .flatMap((line) => parse(line) ?? [])
    .toSorted((one, other) => one.step - other.step);
}

function parse(line: string): Step | undefined {
  try {
    const { step_index: step, source, type, status, content, tool_calls: calls } = JSON.parse(line) as Record<string, unknown>;
    if (typeof step !== "number") return undefined;
    if (type === "USER_INPUT") return { step, from: "person" };
    if (type !== "PLANNER_RESPONSE" || source !== "MODEL") return undefined;
    const isReply = status === "DONE" && typeof content === "string" && content.trim() !== "";
    const works = Array.isArray(calls) && calls.length > 0;
    return { step, from: "agent", ...(isReply && !works && { text: content }) };
  } catch {
    // Cut off at the tail's beginning, or not written to its end.
    return undefined;
  }
}
