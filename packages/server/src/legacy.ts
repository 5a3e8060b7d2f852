/** What one moth leaves to the next: the sessions, and what it knew of each. */
import type { Dedupe } from "./dedupe.ts";
import type { KeptSession } from "./kept-session.ts";
import type { Attention } from "./notify/attention.ts";
import type { Sessions } from "./sessions.ts";

export interface Legacy {
  /** What a later moth may take back, the sessions heard last first. */
  kept(): KeptSession[];
  /** Takes sessions back as if they had always been there: nothing is logged, and nobody is told. @see Sessions.restore */
  restore(kept: readonly KeptSession[], shift: number): void;
}

interface Parts {
  sessions: Sessions;
  attention: Attention;
  dedupe: Dedupe;
  now: () => number;
}

export function createLegacy({ sessions, attention, dedupe, now }: Parts): Legacy {
  return {
    kept: () => sessions.kept(now()).map((one) => ({ ...one, ...attention.kept(one.source, one.session) })),
    restore(kept, shift) {
      sessions.restore(kept, now(), shift);
      const rows = new Map(sessions.list(now()).map((row) => [keyOf(row), row]));
      for (const one of kept) {
        const row = rows.get(keyOf(one));
        if (!row) continue;
        attention.restore(row, one);
        if (one.turn) dedupe.know({ ...one, turn: one.turn.id, chars: one.turn.chars });
      }
    },
  };
}

/** Clean ids hold no line break. */
function keyOf({ source, session }: { source: string; session: string }): string {
  return `${source}\n${session}`;
}
