import type { TurnReport } from "@moth-companion/core/protocol";

/** Two hooks that report one turn without naming it do so within this time. */
const TWICE_MS = 2000;

/** How much is remembered: turns, and UTF-16 units of them together. */
export interface DedupeLimits {
  turns: number;
  text: number;
}

const LIMITS: DedupeLimits = { turns: 500, text: 1024 * 1024 };

/** Tells a turn that was heard before: two installs of one hook must not show a reply twice. */
export interface Dedupe {
  /** Whether this turn was heard before; remembers it. `now`: milliseconds. */
  isRepeat(turn: TurnReport, now: number): boolean;
  /** A moth before this one heard this turn last of its session. Its words are not known, and so how many they were has to do. */
  know(heard: { source: string; session: string; turn: string; chars: number }): void;
  clear(): void;
}

export function createDedupe(limits: DedupeLimits = LIMITS): Dedupe {
  /** What was heard → when. A Map keeps the order in which things were put in. */
  const heard = new Map<string, number>();
  /** The last turns of before, by session, each until another one comes. */
  const earlier = new Map<string, string>();
  let text = 0;

  function forget(key: string): void {
    if (heard.delete(key)) text -= key.length;
  }

  function wasBefore({ source, session = "", turn, text, chars = text.length }: TurnReport): boolean {
    const key = `${source}\n${session}`;
    const known = earlier.get(key);
    if (known === undefined || turn === undefined) return false;
    if (known === `${turn}\n${chars}`) return true;
    earlier.delete(key);
    return false;
  }

  return {
    isRepeat(turn, now) {
      if (earlier.size > 0 && wasBefore(turn)) return true;
      const key = keyOf(turn);
      const before = heard.get(key);
      if (before !== undefined && (turn.turn !== undefined || Math.abs(now - before) <= TWICE_MS)) return true;
      forget(key);
      for (const oldest of heard.keys()) {
        if (heard.size < limits.turns && text + key.length <= limits.text) break;
        forget(oldest);
      }
      heard.set(key, now);
      text += key.length;
      return false;
    },
    know: ({ source, session, turn, chars }) => void earlier.set(`${source}\n${session}`, `${turn}\n${chars}`),
    clear() {
      heard.clear();
      earlier.clear();
      text = 0;
    },
  };
}

/** Clean ids hold no line break. */
function keyOf({ source, session = "", turn = "", text, chars }: TurnReport): string {
  return `${source}\n${session}\n${turn}\n${text}${chars === undefined ? "" : `(${chars})`}`;
}
