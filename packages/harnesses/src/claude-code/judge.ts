/** What a session's note in Claude Code's registry adds to what its hooks have said. */
import type { StateReport } from "@moth-companion/core/protocol";
import type { WatchedSession } from "../types.ts";
import type { SessionNote } from "./registry-file.ts";

type Seen = Pick<StateReport, "session" | "state" | "outcome" | "wait" | "seq" | "pid">;

/** A conclusion, and how long the note has to stay as it is before it counts. */
export interface Verdict {
  report: Seen;
  settleMs: number;
}

/** The note is written after the Stop hooks have ended, and a task's follow-up turn begins some 15 ms after an idle note. */
const IDLE_SETTLE_MS = 600;
/** Commands like `/clear` are busy for some 50 ms. */
const BUSY_SETTLE_MS = 300;
/** A hook tells of a dialog within a fifth of a second. */
const WAIT_SETTLE_MS = 1500;

/** Dialogs that need the person and are no menu they opened themselves. */
const DIALOGS: Readonly<Record<string, "permission" | "question">> = {
  "permission prompt": "permission",
  "input needed": "question",
};

/**
 * @param own whether moth knows the session's state from its notes alone: then nobody can say how its turn ended
 * @returns undefined when the hooks have said it all
 */
export function judge(note: SessionNote, session: WatchedSession, own: boolean): Verdict | undefined {
  const at = { session: session.session, seq: note.since, ...(session.pid !== undefined && { pid: session.pid }) };
  // Another conversation lives in the process now, and no hook said that this one ended.
  if (note.session !== session.session)
    return { report: { ...at, seq: Math.max(note.since, session.seq), state: "gone" }, settleMs: WAIT_SETTLE_MS };
  if (note.status === "waiting") return missedWait(note, session);
  // Older than what the hooks said last.
  if (note.since <= session.seq) return undefined;
  if (note.status === "busy") {
    if (session.state === "working") return undefined;
    // A dialog was answered, or a prompt that was queued during the last turn has begun: it fired its hook when it was typed.
    return { report: { ...at, state: "working" }, settleMs: session.state === "waiting" ? 0 : BUSY_SETTLE_MS };
  }
  if (session.state === "idle") return undefined;
  // No Stop came. What runs on in the background was told to stop, or ended without a word; the turn itself was heard. A moth that was
  // away may have missed the Stop.
  const interrupted = !own && !session.background && session.restored === undefined;
  return { report: { ...at, state: "idle", ...(interrupted && { outcome: "interrupted" as const }) }, settleMs: IDLE_SETTLE_MS };
}

/** A dialog stands open though moth thinks the session works: another agent's turn took the wait's place, or its hook was not heard. */
function missedWait(note: SessionNote, session: WatchedSession): Verdict | undefined {
  const kind = note.waitingFor !== undefined && Object.hasOwn(DIALOGS, note.waitingFor) ? DIALOGS[note.waitingFor] : undefined;
  if (!kind || session.state === "waiting") return undefined;
  return {
    report: {
      session: session.session,
      ...(session.pid !== undefined && { pid: session.pid }),
      // Newer than what it corrects, older than anything that comes.
      seq: Math.max(note.since, session.seq + 1),
      state: "waiting",
      wait: { id: `dialog-${note.since}`, kind, answerable: false },
    },
    settleMs: WAIT_SETTLE_MS,
  };
}
