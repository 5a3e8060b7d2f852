/** Follows moth's log for as long as it is wanted: across restarts, resets and times when moth is asleep. */
import type { LogAnswer, MothEvent } from "@moth-companion/core/protocol";
import type { Client } from "../client.ts";
import { Failure } from "../errors.ts";
import { pause } from "@moth-companion/core/pause";

export interface Listener {
  /** `history`: what was in the log before we came; comes once and first, empty or not, when moth is heard at the first try. */
  events(events: readonly MothEvent[], when: "history" | "now"): void;
  /** moth cannot be heard, told once until it can be again. */
  lost(why: Failure): void;
  /** After {@link lost}. */
  found(): void;
  /** The log began anew without moth having been away: someone made it forget. */
  anew(): void;
}

export interface Pace {
  /** Seconds one poll may wait for news. */
  waitSeconds: number;
  firstRetryMs: number;
  lastRetryMs: number;
  /** A server without long polls answers at once: it is asked this often. */
  shortPollMs: number;
}

const PACE: Pace = { waitSeconds: 25, firstRetryMs: 250, lastRetryMs: 3000, shortPollMs: 1000 };

/**
 * Ends when `signal` does.
 * @throws Failure when what is wrong at the first try will not mend itself: another program there, no token, no address
 */
export async function follow(
  client: Pick<Client, "log">,
  listener: Listener,
  signal: AbortSignal,
  pace: Pace = PACE,
): Promise<void> {
  let at: { epoch: string; since: number } | undefined;
  let lost = false;
  let retryMs = pace.firstRetryMs;
  while (!signal.aborted) {
    const asked = performance.now();
    let answer: LogAnswer;
    try {
      // After a loss, and at first, what is there is wanted now.
      const wait = at && !lost ? { wait: pace.waitSeconds } : {};
      answer = await client.log({ since: at?.since ?? 0, epoch: at?.epoch, ...wait }, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Failure)) throw error;
      if (!at && !lost && error.code !== "NOT_RUNNING" && error.code !== "BUSY") throw error;
      if (!lost) listener.lost(error);
      lost = true;
      await pause(retryMs, signal);
      retryMs = Math.min(pace.lastRetryMs, retryMs * 2);
      continue;
    }
    if (lost) listener.found();
    else if (at && at.epoch !== answer.epoch) listener.anew();
    if (answer.events.length > 0 || !at) listener.events(answer.events, at ? "now" : "history");
    const longPolled = at !== undefined && !lost;
    at = { epoch: answer.epoch, since: answer.next };
    lost = false;
    retryMs = pace.firstRetryMs;
    if (longPolled && answer.events.length === 0 && performance.now() - asked < pace.shortPollMs)
      await pause(pace.shortPollMs, signal);
  }
}
