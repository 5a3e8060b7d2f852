import { ask } from "./ask.ts";
import type { Env } from "./paths.ts";
import { cleanId, oneLine } from "./text.ts";

/** The longest moth takes from a turn to its line: the batch window, the voice, and some air. */
const WAIT_MS = 20_000;

/** A line of moth's, clean and on one line. */
export interface Remark {
  text: string;
  /** The agent's sentence it reacts to. */
  quote?: string;
}

export interface OwnLineOptions {
  env?: Env;
  /** Ends the waiting early. */
  signal?: AbortSignal;
  /** Milliseconds to wait for the line; 20 s unless said. */
  waitMs?: number;
}

/**
 * moth's line about a turn of one session, for a display inside the harness. One poll, which is open only while a line may come.
 * @param after milliseconds since 1970, taken right before the turn was reported: older lines are not meant
 * @returns undefined when moth is down, says nothing about the turn, or the waiting was ended. Never throws.
 */
export async function ownLine(
  of: { source: string; session?: string },
  after: number,
  { env, signal, waitMs = WAIT_MS }: OwnLineOptions = {},
): Promise<Remark | undefined> {
  const query = new URLSearchParams({
    source: of.source,
    session: cleanId(of.session ?? ""),
    after: String(Math.trunc(after)),
    wait: String(waitMs / 1000),
  });
  const asked = await ask(`/api/says?${query.toString()}`, undefined, { timeoutMs: waitMs + 1000, signal, ...(env && { env }) });
  if (asked?.status !== 200) return undefined;
  const { says } = asked.body as { says?: unknown };
  return Array.isArray(says) ? toRemark(says.at(-1)) : undefined;
}

/** A line out of an answer; undefined when it is none. */
export function toRemark(said: unknown): Remark | undefined {
  if (typeof said !== "object" || said === null) return undefined;
  const { text, quote } = said as { text?: unknown; quote?: unknown };
  if (typeof text !== "string" || oneLine(text) === "") return undefined;
  return { text: oneLine(text), ...(typeof quote === "string" && { quote: oneLine(quote) }) };
}
