import { createHash } from "node:crypto";
import type { TurnReport } from "@moth-companion/core/protocol";

/** Two hooks that report one turn without naming it do so within this time. */
const TWICE_MS = 2000;
const MAX_TURNS = 1000;

/** Tells a turn that was heard before: two installs of one hook must not show a reply twice. */
export interface Dedupe {
  /** Whether this turn was heard before; remembers it. `now`: milliseconds. */
  isRepeat(turn: TurnReport, now: number): boolean;
  clear(): void;
}

/** Keeps hashes, not texts. */
export function createDedupe(max: number = MAX_TURNS): Dedupe {
  const heard = new Map<string, number>();
  return {
    isRepeat(turn, now) {
      const key = keyOf(turn);
      const before = heard.get(key);
      if (before !== undefined && (turn.turn !== undefined || Math.abs(now - before) <= TWICE_MS)) return true;
      heard.delete(key);
      heard.set(key, now);
      const oldest = heard.keys().next().value;
      if (heard.size > max && oldest !== undefined) heard.delete(oldest);
      return false;
    },
    clear: () => heard.clear(),
  };
}

function keyOf({ source, session, turn, text }: TurnReport): string {
  return createHash("sha1")
    .update(JSON.stringify([source, session, turn]))
    .update(text)
    .digest("base64");
}
