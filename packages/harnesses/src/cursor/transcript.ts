/** The transcript of a conversation, for a run of which no event tells the reply. As others describe it (2026.02.13 to 2026.09.10). */
import { join } from "node:path";
import type { Env } from "@moth-companion/core/paths";
import { readTail } from "../tail.ts";
import { cursorHome } from "./detect.ts";

const TAIL_BYTES = 256 * 1024;
/** The last line may be written a moment after the event: in all 300 ms. */
const LOOKS_MS = [0, 100, 200];

/** The last thing the agent said, when it was said after the last prompt. */
export async function lastReply(
  env: Env,
  session: string,
  cwd: string | undefined,
  told: string | undefined,
): Promise<string | undefined> {
  for (const delay of LOOKS_MS) {
    // Not `node:timers/promises`: loading it costs a millisecond.
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    for (const file of transcriptFiles(env, session, cwd, told)) {
      const reply = replyIn(readTail(file, TAIL_BYTES) ?? "");
      if (reply !== undefined) return reply;
    }
  }
  return undefined;
}

/** Where it may lie: the file told, else by the folder's name, flat or in a folder of the conversation's own. */
function transcriptFiles(env: Env, session: string, cwd: string | undefined, told: string | undefined): string[] {
  if (told !== undefined) return [told];
  if (cwd === undefined || !/^[\w-]+$/.test(session)) return [];
  const slug = cwd.replace(/^\/+/, "").replace(/[^A-Za-z0-9]/g, "-");
  const folder = join(cursorHome(env), "projects", slug, "agent-transcripts");
  return [join(folder, `${session}.jsonl`), join(folder, session, `${session}.jsonl`)];
}

function replyIn(transcript: string): string | undefined {
  for (const line of transcript.trimEnd().split("\n").toReversed()) {
    const { role, message } = parse(line);
    if (role === "user") return undefined;
    const text = role === "assistant" ? lastText(message) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

function lastText(message: unknown): string | undefined {
  const content = typeof message === "object" && message !== null ? (message as { content?: unknown }).content : undefined;
  if (!Array.isArray(content)) return undefined;
  const block = (content as unknown[]).at(-1);
  const { type, text } = typeof block === "object" && block !== null ? (block as { type?: unknown; text?: unknown }) : {};
  return type === "text" && typeof text === "string" && text.trim() !== "" ? text : undefined;
}

function parse(line: string): { role?: unknown; message?: unknown } {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    // Cut off at the tail's beginning, or not written to its end.
    return {};
  }
}
