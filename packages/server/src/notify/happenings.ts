/** What of a session's states concerns the person. */
import type { State, Want } from "@moth-companion/core/protocol";
import type { StateChange } from "../sessions.ts";

/** `on`: it works again, was stopped by the person, or has gone, so there is nothing to look at any more. */
export interface Happening {
  what: Want | "on";
  source: string;
  session: string;
  label: string;
  /** With `waits`. */
  wait?: StateChange["wait"];
  /** Milliseconds it worked, its waits left out; undefined when moth did not hear the beginning. */
  worked?: number;
}

/** A session that goes so soon after its turn, such as one run with a prompt on its command line, was not closed by the person. */
const CLOSED_BY_ITSELF_MS = 5000;
const MAX_SESSIONS = 1000;

interface Seen {
  state: State;
  /** When it entered the state. */
  since: number;
  worked: number;
}

/** Follows each session's states. Owns no clock; `now` is milliseconds since 1970. */
export interface Happenings {
  hear(change: StateChange, now: number): Happening | undefined;
  /** Milliseconds a session had worked on its turn when it entered its state; undefined: nothing was heard of it. */
  worked(source: string, session: string): number | undefined;
  /** Goes on with a session where an earlier moth was. */
  restore(who: { source: string; session: string }, at: { state: State; since: number; worked: number }): void;
  clear(): void;
}

export function createHappenings(): Happenings {
  const known = new Map<string, Seen>();

  function hear(change: StateChange, now: number): Happening | undefined {
    const { source, session, label, state, wait, outcome } = change;
    const key = keyOf(source, session);
    const before = known.get(key);
    known.delete(key);
    const worked = before ? before.worked + (before.state === "working" ? Math.max(0, now - before.since) : 0) : 0;
    const wasBusy = before?.state === "working" || before?.state === "waiting";
    if (state !== "gone") known.set(key, { state, since: now, worked: wasBusy ? worked : 0 });
    if (known.size > MAX_SESSIONS) known.delete(known.keys().next().value ?? "");
    const who = { source, session, label };
    if (state === "working") return { what: "on", ...who };
    if (state === "waiting") return wait ? { what: "waits", ...who, wait } : undefined;
    if (outcome === "failed" || outcome === "limit") return { what: outcome, ...who, ...(wasBusy ? { worked } : {}) };
    if (outcome === "interrupted") return { what: "on", ...who };
    if (state === "gone") {
      const isSoon = before?.state === "idle" && now - before.since < CLOSED_BY_ITSELF_MS;
      return isSoon ? undefined : { what: "on", ...who };
    }
    if (wasBusy) return { what: "finished", ...who, worked };
    // A session that is merely there is no news; one whose reply is the first thing heard of it is.
    return outcome === "done" && !before ? { what: "finished", ...who } : undefined;
  }

  return {
    hear,
    worked: (source, session) => known.get(keyOf(source, session))?.worked,
    restore: ({ source, session }, at) => void known.set(keyOf(source, session), at),
    clear: () => known.clear(),
  };
}

/** Clean ids hold no line break. */
export function keyOf(source: string, session: string): string {
  return `${source}\n${session}`;
}
