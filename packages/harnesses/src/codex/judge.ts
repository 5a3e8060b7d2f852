/** What a session's record adds to what its hooks have said. */
import type { StateReport } from "@moth-companion/core/protocol";
import type { WatchedSession } from "../types.ts";
import { readWaitId } from "./payload.ts";
import { answeredAt, type Turn } from "./turn.ts";

/** A conclusion, and how long things have to stay as they are before it counts. */
export interface Verdict {
  report: Omit<StateReport, "source">;
  settleMs: number;
}

/** A turn that is interrupted while it waits gives the call a result half a second before it ends. */
const ANSWER_SETTLE_MS = 600;
/** The Stop hook ends before the record says that the turn has. */
const DONE_SETTLE_MS = 1500;

/**
 * @param turn of the session
 * @param asking of whoever asks, where that is a subagent
 * @returns undefined when the hooks have said it all
 */
export function judge(session: WatchedSession, turn: Turn, asking: Turn | undefined): Verdict | undefined {
  const { session: id, state, seq, wait } = session;
  if (state === "idle" || wait?.kind === "plan") return undefined;
  if (state === "waiting" && wait) {
    const { agent, call } = readWaitId(wait.id);
    const asker = agent === undefined ? turn : asking;
    const at = asker && answeredAt(asker, call, seq);
    if (at !== undefined)
      return { report: { session: id, seq: at, state: "working", ended: wait.id }, settleMs: ANSWER_SETTLE_MS };
    // A subagent may ask when its session's own turn is over.
    if (agent !== undefined) return undefined;
  }
  if (turn.running !== false) return undefined;
  // Of an earlier turn: the one that was told of never began, or a subagent was all that worked.
  if (turn.at <= seq)
    return state === "working" ? { report: { session: id, seq, state: "idle" }, settleMs: DONE_SETTLE_MS } : undefined;
  const settleMs = turn.outcome === "done" ? DONE_SETTLE_MS : 0;
  return { report: { session: id, seq: turn.at, state: "idle", ...(turn.outcome && { outcome: turn.outcome }) }, settleMs };
}

/**
 * Sessions that were left for another one in the same window: `/new` tells of the new one only, with its first prompt. Of the sessions
 * of one process that rest, all but the newest.
 */
export function left(sessions: readonly WatchedSession[]): WatchedSession[] {
  return sessions.filter(
    ({ pid, seq, state, wait }) =>
      pid !== undefined &&
      (state === "idle" || wait?.kind === "plan") &&
      sessions.some((other) => other.pid === pid && other.seq > seq),
  );
}
