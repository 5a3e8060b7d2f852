import type { TurnClass } from "@moth-companion/core/protocol";
import { isUrgent, rank } from "./triage.ts";

/** When moth may speak. All in seconds. */
export interface BatchSettings {
  /** At most one reaction in this time, unless a turn is urgent. 0: no limit. */
  reactEvery: number;
  /** The person counts as chatting this long after their last word; moth holds its reaction. 0: chatting holds nothing. */
  quietAfter: number;
  /** How long moth waits for other sessions before it picks one turn. 0: no waiting. */
  batchWindow: number;
}

export const DEFAULT_BATCH: BatchSettings = { reactEvery: 120, quietAfter: 60, batchWindow: 4 };

/** A turn that asks for a reaction. `key` is the caller's own handle. */
interface Candidate {
  key: number;
  class: TurnClass;
}

/** What to do with a turn, in the order in which it goes to the log. */
export type BatchAction =
  | { do: "show"; key: number }
  | { do: "skip"; key: number; reason: "batch" | "rate" }
  | { do: "react"; key: number };

/** Picks the moment and the turn. Every turn gets one `show`, then one `skip` or `react`. Times are milliseconds. */
export interface Batch {
  turn(candidate: Candidate, now: number): BatchAction[];
  /** The person said something to moth. */
  chat(now: number): BatchAction[];
  /** To be called at `wakeAt`; too early or too often does no harm. */
  wake(now: number): BatchAction[];
  /** When `wake` has something to do; undefined: nothing is held. */
  readonly wakeAt: number | undefined;
  /** Forgets everything, held turns included: the log they were meant for is gone. */
  reset(): void;
}

/** Turns waiting for one reaction: those not in the log yet, and the best of those that are. */
interface Held {
  since: number;
  hidden: Candidate[];
  shown: Candidate | undefined;
}

/**
 * Owns no timer and no clock. With `reactEvery` and `quietAfter` both 0 there is no window either: every turn is answered at once.
 */
export function createBatch(settings: BatchSettings = DEFAULT_BATCH): Batch {
  const every = settings.reactEvery * 1000;
  const quiet = settings.quietAfter * 1000;
  const window = every === 0 && quiet === 0 ? 0 : settings.batchWindow * 1000;

  let seen = -Infinity;
  let spokeAt = -Infinity;
  let chatAt = -Infinity;
  let held: Held | undefined;

  /** After a clock that jumped back, what was left to wait is still what is left to wait. */
  function see(now: number): void {
    const back = seen - now;
    if (back > 0) {
      spokeAt -= back;
      chatAt -= back;
      if (held) held.since -= back;
    }
    seen = now;
  }

  const windowEnd = (held: Held): number => held.since + window;
  const due = (held: Held): number => Math.max(windowEnd(held), chatAt + quiet);

  /** The reaction, when its time has come; else, while chatting holds it beyond the window, at least the cards. */
  function settle(now: number): BatchAction[] {
    if (!held) return [];
    if (now >= due(held)) return release(held, now);
    return due(held) > windowEnd(held) ? reveal(held) : [];
  }

  function release(group: Held, now: number): BatchAction[] {
    const chosen = best(group.shown ? [group.shown, ...group.hidden] : group.hidden);
    const actions = reveal(group);
    held = undefined;
    spokeAt = now;
    return chosen ? [...actions, { do: "react", key: chosen.key }] : actions;
  }

  /** Puts the hidden cards into the log, the best of them last, and keeps only the best of all as a candidate. */
  function reveal(group: Held): BatchAction[] {
    const top = best(group.hidden);
    if (!top) return [];
    const keep = group.shown ? best([group.shown, top]) : top;
    const actions: BatchAction[] = [];
    if (group.shown && group.shown !== keep) actions.push(beaten(group.shown));
    for (const candidate of [...group.hidden.filter((other) => other !== top), top]) {
      actions.push({ do: "show", key: candidate.key });
      if (candidate !== keep) actions.push(beaten(candidate));
    }
    group.hidden = [];
    group.shown = keep;
    return actions;
  }

  return {
    turn(candidate, now) {
      see(now);
      const before = settle(now);
      if (!held && now - spokeAt < every && !isUrgent(candidate.class)) {
        return [...before, { do: "show", key: candidate.key }, { do: "skip", key: candidate.key, reason: "rate" }];
      }
      held ??= { since: now, hidden: [], shown: undefined };
      held.hidden.push(candidate);
      return [...before, ...settle(now)];
    },
    chat(now) {
      see(now);
      const before = settle(now);
      chatAt = now;
      return [...before, ...settle(now)];
    },
    wake(now) {
      see(now);
      return settle(now);
    },
    get wakeAt() {
      return held ? due(held) : undefined;
    },
    reset() {
      seen = spokeAt = chatAt = -Infinity;
      held = undefined;
    },
  };
}

function beaten(candidate: Candidate): BatchAction {
  return { do: "skip", key: candidate.key, reason: "batch" };
}

/** The most interesting; the newest wins a tie. */
function best(candidates: readonly Candidate[]): Candidate | undefined {
  let top: Candidate | undefined;
  for (const candidate of candidates) if (!top || rank(candidate.class) >= rank(top.class)) top = candidate;
  return top;
}
