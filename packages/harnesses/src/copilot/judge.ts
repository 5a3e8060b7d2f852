/** What a session's record adds to what its hooks have said. */
import type { StateReport } from "@moth-companion/core/protocol";
import type { WatchedSession } from "../types.ts";
import type { Course } from "./course.ts";

type Seen = Omit<StateReport, "source">;

/** A conclusion, and how long it has to stay before it counts. */
export interface Verdict {
  report: Seen;
  settleMs: number;
}

/** A failure that ends a one-shot run is told by the hook of its end. */
const END_SETTLE_MS = 300;
/** The record may be behind what a hook said; a finished subagent's news begin a turn some 90 ms later. */
const BEHIND_SETTLE_MS = 1000;
/** The hook may look for the reply for a while. */
const STOP_SETTLE_MS = 2500;
const BUSY_SETTLE_MS = 300;

/**
 * @param told ids of waits that were reported before
 * @returns none when the hooks have said it all
 */
export function judge(course: Course, session: WatchedSession, told: ReadonlySet<string>): Verdict[] {
  if (session.state === "idle") return missedTurn(course, session);
  const over = turnOver(course, session);
  return over ? [over] : [...waitOver(course, session), ...newWaits(course, session, told)];
}

/** Another tool's hook may send the agent on after its Stop. */
function missedTurn({ phase, at }: Course, { session, seq }: WatchedSession): Verdict[] {
  if (phase !== "working" || at <= seq) return [];
  return [{ report: { session, seq: at, state: "working" }, settleMs: BUSY_SETTLE_MS }];
}

function turnOver({ phase, at, agents }: Course, { session, seq, background }: WatchedSession): Verdict | undefined {
  if (phase === undefined || phase === "working" || agents.size > 0) return undefined;
  const idle = (outcome: Seen["outcome"], settleMs: number): Verdict => ({
    report: { session, seq: Math.max(at, seq), state: "idle", ...(outcome && { outcome }) },
    settleMs,
  });
  // The turn itself was heard; its subagents are done, or were told to stop.
  if (background) return idle(undefined, BEHIND_SETTLE_MS);
  // The prompt is in the record no more: it was taken back before any reply.
  if (at < seq) return idle("interrupted", BEHIND_SETTLE_MS);
  return phase === "stopped" ? idle("done", STOP_SETTLE_MS) : idle(phase, END_SETTLE_MS);
}

function waitOver({ phase, at, ended }: Course, { session, state, wait, seq }: WatchedSession): Verdict[] {
  if (state !== "waiting" || !wait) return [];
  const unnamed = wait.id.startsWith("notification-") && phase === "working" && at > seq ? at : undefined;
  const end = ended.get(wait.id) ?? unnamed;
  return end === undefined ? [] : [{ report: { session, seq: end, state: "working", ended: wait.id }, settleMs: 0 }];
}

/** No hook tells of a plan. Of permissions and questions one does; whoever is second is not heard. */
function newWaits({ waits }: Course, { session }: WatchedSession, told: ReadonlySet<string>): Verdict[] {
  return [...waits.values()]
    .filter(({ wait }) => !told.has(wait.id))
    .map(({ wait, at }) => ({ report: { session, seq: at, state: "waiting", wait }, settleMs: 0 }));
}
