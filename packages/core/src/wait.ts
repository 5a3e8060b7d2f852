/** Waits until a session is in a state, across restarts of moth. */
import { isAlive } from "./alive.ts";
import type { Env } from "./paths.ts";
import { pause } from "./pause.ts";
import { askLog, askRoster, type Position } from "./poll.ts";
import type { Outcome, Session, State, Wait } from "./protocol.ts";

export const WAIT_FOR = ["idle", "waiting", "gone"] as const;
/** What can be waited for. */
export type WaitFor = (typeof WAIT_FOR)[number];

/** Seconds one poll may wait for news. */
const POLL_SECONDS = 25;
/** The same where moth does not know the session (any more), so that nobody but we sees its process end. */
const UNKNOWN_POLL_SECONDS = 2;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 2000;

export interface WaitOptions {
  /** Any of these ends the waiting; `idle` or `waiting` unless given. */
  for?: WaitFor | readonly WaitFor[] | undefined;
  /** Milliseconds; without it, as long as it takes. */
  timeoutMs?: number | undefined;
  /** Ends the waiting early, as when the time is up. */
  signal?: AbortSignal | undefined;
}

interface WaitParts {
  env: Env;
  /** The id of a wait that does not count: one that has been answered. */
  except?: string | undefined;
  /** Called when moth can be heard no longer, and when it can again. */
  onHearing?: (hears: boolean) => void;
}

/** How the waiting ended, and the session as it was last seen. `gone`: it has ended, and something else was waited for. */
export interface Waited {
  result: "matched" | "timed-out" | "gone";
  session: Session;
}

interface Face {
  state: State;
  wait?: Wait;
  outcome?: Outcome;
  time?: number;
}

/**
 * Waits until a session is in one of the states asked for; ends at once when it is so now. Keeps the process alive. A moth that is
 * away is waited for; while it is, or does not know the session, the session is gone when its process has ended. Never throws.
 * @param of the session as the roster told it
 */
export async function waitForState(of: Session, options: WaitOptions & WaitParts): Promise<Waited> {
  const { for: given = ["idle", "waiting"], timeoutMs = Infinity, signal, env, except, onHearing } = options;
  const wanted: readonly State[] = typeof given === "string" ? [given] : given;
  const until = performance.now() + timeoutMs;
  const left = (): number => (signal?.aborted ? 0 : Math.max(0, until - performance.now()));
  let session = of;
  let isKnown = false;
  /** Where the log is read on; undefined: the roster is to be looked at first. */
  let at: Position | undefined;
  let hears = true;
  let retryMs = FIRST_RETRY_MS;

  const judge = (): Waited | undefined => {
    const isAnswered = session.state === "waiting" && session.wait.id === except;
    if (wanted.includes(session.state) && !isAnswered) return { result: "matched", session };
    return session.state === "gone" ? { result: "gone", session } : undefined;
  };
  /** @returns whether moth was heard */
  const look = async (): Promise<boolean | Waited> => {
    const roster = await askRoster({ env, signal });
    if (!roster) return false;
    at = { epoch: roster.epoch, since: roster.next };
    const row = roster.sessions.find((one) => isSame(one, session));
    isKnown = row !== undefined;
    if (!row) return true;
    session = row;
    return judge() ?? true;
  };
  const listen = async (from: Position): Promise<boolean | Waited> => {
    const seconds = Math.min(isKnown ? POLL_SECONDS : UNKNOWN_POLL_SECONDS, left() / 1000);
    const log = await askLog(from, seconds, { env, signal });
    if (!log) return false;
    for (const event of log.events) {
      if (event.kind !== "state" || !isSame(event, session)) continue;
      session = withFace(session, event);
      isKnown = true;
      const end = judge();
      if (end) return end;
    }
    at = log.epoch === from.epoch ? { epoch: log.epoch, since: log.next } : undefined;
    return true;
  };

  do {
    // oxlint-disable-next-line no-await-in-loop -- each look follows the last
    const heard = await (at ? listen(at) : look());
    if (typeof heard === "object") return heard;
    if (hears !== heard && left() > 0) onHearing?.((hears = heard));
    if (!(heard && isKnown) && session.pid !== undefined && !isAlive(session.pid)) {
      session = withFace(session, { state: "gone" });
      const end = judge();
      if (end) return end;
    }
    retryMs = heard ? FIRST_RETRY_MS : Math.min(LAST_RETRY_MS, retryMs * 2);
    if (heard) continue;
    at = undefined;
    // oxlint-disable-next-line no-await-in-loop -- moth may be about to start again
    await pause(Math.min(retryMs, left()), signal, { keepsAlive: true });
  } while (left() > 0);
  return { result: "timed-out", session };
}

interface Named {
  source: string;
  session: string;
}

function isSame(one: Named, other: Named): boolean {
  return one.source === other.source && one.session === other.session;
}

/** The row as it is with another state. */
function withFace({ wait: _wait, outcome: _outcome, ...row }: Session & Partial<Face>, face: Face): Session {
  const { state, wait, outcome, time = Date.now() } = face;
  return { ...row, state, since: time, ...(wait && { wait }), ...(outcome && { outcome }) } as Session;
}
