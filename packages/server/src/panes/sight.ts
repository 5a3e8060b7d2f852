import { parsePane } from "@moth-companion/core/pane";
import type { Env } from "@moth-companion/core/paths";
import { isSeenInTmux } from "./tmux.ts";

/** Longer than this no notice waits. */
const TIMEOUT_MS = 500;

/**
 * Whether the person has a session's pane before their eyes. False where that cannot be known. Never rejects.
 * @param pane as the roster has it @param now milliseconds since 1970
 */
export async function isInSight(pane: string, env: Env, now: number): Promise<boolean> {
  const parsed = parsePane(pane);
  if (parsed?.kind !== "tmux") return false;
  try {
    return await isSeenInTmux(parsed, env, now, TIMEOUT_MS);
  } catch {
    return false;
  }
}
