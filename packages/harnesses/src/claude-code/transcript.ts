/**
 * Whether a reply is of the turn it comes with. When a turn ends without a word, Claude Code's Stop carries the reply of an earlier
 * turn (2.1.332): its transcript tells, where each of the person's lines bears its turn's id.
 */
import { readTail } from "../tail.ts";

/** As much of the transcript's end as is looked at. A turn that is longer is never taken for an empty one. */
const TAIL_BYTES = 256 * 1024;
/** The last line may be written some 85 ms after the hook began (older versions; reports in public). */
const LOOKS_MS = [0, 60, 100];

/** Whether the reply is an earlier turn's. Reads at most thrice, 160 ms at most; when in doubt, it is not. */
export async function isEarlierReply(transcript: string, turn: string, reply: string): Promise<boolean> {
  for (const delay of LOOKS_MS) {
    // Not `node:timers/promises`: loading it would cost every hook a millisecond for the rare one that waits.
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    const tail = readTail(transcript, TAIL_BYTES);
    if (tail === undefined || !endsBefore(tail.split("\n"), turn, reply)) return false;
  }
  return true;
}

/** Whether the newest thing the agent said is that reply, and was said before the turn began. */
function endsBefore(lines: readonly string[], turn: string, reply: string): boolean {
  const start = lines.findIndex((line) => line.includes(`"promptId":"${turn}"`));
  if (start === -1) return false;
  for (let index = lines.length - 1; index >= 0; index--) {
    const said = agentText(lines[index] ?? "");
    if (said !== undefined) return index < start && said.trim() === reply.trim();
  }
  return false;
}

function agentText(line: string): string | undefined {
  if (!line.includes('"type":"assistant"')) return undefined;
  try {
    const { type, isSidechain, message } = JSON.parse(line) as {
      type?: unknown;
      isSidechain?: unknown;
      message?: { content?: unknown };
    };
    if (type !== "assistant" || isSidechain === true || !Array.isArray(message?.content)) return undefined;
    const block: unknown = message.content.findLast(isText);
    return isText(block) ? block.text : undefined;
  } catch {
    // Cut off at the tail's beginning, or not written to its end.
    return undefined;
  }
}

function isText(block: unknown): block is { text: string } {
  if (typeof block !== "object" || block === null) return false;
  const { type, text } = block as { type?: unknown; text?: unknown };
  return type === "text" && typeof text === "string" && text.trim() !== "";
}
