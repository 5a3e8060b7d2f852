import type { TurnReport } from "@moth-companion/core/protocol";

/** Two hooks that report one turn without naming it do so within this time. */
const TWICE_MS = 2000;

/** How much is remembered: turns, and UTF-16 units of their texts together. */
export interface DedupeLimits {
  turns: number;
  text: number;
}

const LIMITS: DedupeLimits = { turns: 500, text: 1024 * 1024 };

/** Tells a turn that was heard before: two installs of one hook must not show a reply twice. */
export interface Dedupe {
  /** Whether this turn was heard before; remembers it. `now`: milliseconds. */
  isRepeat(turn: TurnReport, now: number): boolean;
  clear(): void;
}

export function createDedupe(limits: DedupeLimits = LIMITS): Dedupe {
  const heard: { turn: TurnReport; time: number }[] = [];
  let text = 0;
  return {
    isRepeat(turn, now) {
      const before = heard.findLast((each) => isSame(each.turn, turn));
      if (before && (turn.turn !== undefined || Math.abs(now - before.time) <= TWICE_MS)) return true;
      heard.push({ turn, time: now });
      text += turn.text.length;
      while (heard.length > limits.turns || (text > limits.text && heard.length > 1)) text -= heard.shift()!.turn.text.length;
      return false;
    },
    clear() {
      heard.length = text = 0;
    },
  };
}

function isSame(a: TurnReport, b: TurnReport): boolean {
  return a.session === b.session && a.turn === b.turn && a.source === b.source && a.text === b.text;
}
