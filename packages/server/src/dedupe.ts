import type { TurnReport } from "@moth-companion/core/protocol";
import { createFifo } from "./fifo.ts";

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

interface Heard {
  turn: TurnReport;
  time: number;
}

export function createDedupe(limits: DedupeLimits = LIMITS): Dedupe {
  /** By session and turn, in the order of hearing; `order` holds the same across them. */
  const heard = new Map<string, Heard[]>();
  const order = createFifo<Heard>();
  let text = 0;

  function forgetOldest(): void {
    const { turn } = order.shift()!;
    text -= turn.text.length;
    const alike = heard.get(keyOf(turn));
    alike?.shift();
    if (alike?.length === 0) heard.delete(keyOf(turn));
  }

  return {
    isRepeat(turn, now) {
      const key = keyOf(turn);
      const alike = heard.get(key) ?? [];
      const before = alike.findLast((each) => each.turn.text === turn.text);
      if (before && (turn.turn !== undefined || Math.abs(now - before.time) <= TWICE_MS)) return true;
      const entry = { turn, time: now };
      alike.push(entry);
      order.push(entry);
      heard.set(key, alike);
      text += turn.text.length;
      while (order.size > limits.turns || (text > limits.text && order.size > 1)) forgetOldest();
      return false;
    },
    clear() {
      heard.clear();
      order.clear();
      text = 0;
    },
  };
}

/** Clean ids hold no line break. */
function keyOf({ source, session = "", turn = "" }: TurnReport): string {
  return `${source}\n${session}\n${turn}`;
}
