/** What agents ask now, as the roster and the log tell it. */
import type { MothEvent, SessionsAnswer, Wait } from "@moth-companion/core/protocol";

export interface Ask {
  source: string;
  session: string;
  label: string;
  wait: Wait;
}

export interface OpenAsks {
  /** The log is another one, or we were away: what was known counts no more until the roster is known. */
  anew(): void;
  /** @param roster undefined: it could not be had, so the events alone have to do */
  know(roster: SessionsAnswer | undefined): void;
  hear(events: readonly MothEvent[]): void;
  /** Those that can be answered from here, the newest first. */
  answerable(): readonly Ask[];
  /** One that cannot, and tells why. */
  elsewhere(): Ask | undefined;
  /** Whether just this is still asked, word for word. */
  has(ask: Ask): boolean;
}

/** Events that come before the roster, at most: those that count are the newest. */
const MAX_HELD = 5000;

/** @param isWanted whether the person wants to see this session here */
export function createOpenAsks(isWanted: (label: string) => boolean): OpenAsks {
  /** By session, in the order in which they began to wait. */
  const open = new Map<string, Ask>();
  /** What came before the roster; undefined: that is known. */
  let held: MothEvent[] | undefined = [];

  function take(event: MothEvent): void {
    if (event.kind !== "state") return;
    const { source, session, label, wait } = event;
    const key = keyOf(event);
    const isSame = wait !== undefined && open.get(key)?.wait.id === wait.id;
    // One whose words become known later is not newer.
    if (!isSame) open.delete(key);
    if (event.state === "waiting" && wait && isWanted(label)) open.set(key, { source, session, label, wait });
  }

  return {
    anew() {
      open.clear();
      held = [];
    },
    know(roster) {
      // One that was asked for twice: what came since the first is newer.
      if (!held) return;
      const late = held;
      held = undefined;
      for (const session of (roster?.sessions ?? []).toSorted((a, b) => a.since - b.since))
        if (session.state === "waiting" && isWanted(session.label)) open.set(keyOf(session), session);
      for (const event of late) if (event.id >= (roster?.next ?? 0)) take(event);
    },
    hear(events) {
      if (held) held = [...held, ...events].slice(-MAX_HELD);
      else for (const event of events) take(event);
    },
    answerable: () => [...open.values()].filter(({ wait }) => wait.answerable).toReversed(),
    elsewhere: () => [...open.values()].findLast(({ wait }) => !wait.answerable && wait.why !== undefined),
    has(ask) {
      const now = open.get(keyOf(ask));
      return now !== undefined && sameWords(now.wait) === sameWords(ask.wait);
    },
  };
}

function sameWords({ id, kind, tool, text, options, answerable }: Wait): string {
  return JSON.stringify([id, kind, tool, text, options, answerable]);
}

function keyOf({ source, session }: Pick<Ask, "source" | "session">): string {
  return `${source}\n${session}`;
}
