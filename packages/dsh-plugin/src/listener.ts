/** From what happens in dsh's sessions to reports. Holds everything by session: one process serves many. */
import type { SessionOrders } from "@moth-companion/core/session-orders";
import type { Happening, Place } from "./door.ts";
import { createSession, originOf, type Session, type SessionOptions } from "./session.ts";

/** Sessions known at once, at most: a server may run for months. One that was dropped is met again at its next turn. */
const MAX_SESSIONS = 1000;

export interface ListenerOptions extends SessionOptions {
  /** Takes what the person has sessions do, where dsh has a door for that. */
  orders: () => SessionOrders | undefined;
  source: string;
  pid: number;
}

export interface Listener {
  hear(place: Place, happening: Happening): void;
  /** A session is no more. */
  left(place: Place): void;
  /** dsh ends, and so do its sessions. */
  close(): void;
}

export function createListener(options: ListenerOptions): Listener {
  const sessions = new Map<string, Session>();
  /** Whom a subagent works for, which may be a subagent itself. */
  const employers = new Map<string, string>();

  function rootOf(id: string): string {
    let root = id;
    // Bounded, in case they name each other.
    for (let depth = 0; depth < 16; depth++) root = employers.get(root) ?? root;
    return root;
  }

  function meet(place: Place): Session {
    const known = sessions.get(place.session);
    if (known) return known;
    const session = createSession(originOf(place, options.source, options.pid), options);
    sessions.set(place.session, session);
    const spare = sessions.size > MAX_SESSIONS ? [...sessions].find(([, one]) => one !== session && one.isIdle()) : undefined;
    if (spare) sessions.delete(spare[0]);
    return session;
  }

  return {
    hear(place, happening) {
      const { session, worksFor } = place;
      if (worksFor === undefined) {
        // What is no part of a turn concerns nobody who has not met the session.
        if (happening.what === "began" || happening.what === "ended") meet(place);
        sessions.get(session)?.hear(happening);
        // What its subagents do is no turn of its own.
        if (happening.what === "began" || happening.what === "ended")
          options.orders()?.heard(session, happening.what === "ended");
        return;
      }
      if (worksFor !== session) employers.set(session, worksFor);
      // A subagent's words are its employer's to repeat.
      sessions.get(rootOf(session))?.hearHelper(session, happening);
    },
    left({ session, worksFor }) {
      if (worksFor !== undefined) {
        sessions.get(rootOf(session))?.hearHelper(session, { what: "ended", outcome: "done", whole: false });
        employers.delete(session);
        return;
      }
      sessions.get(session)?.end();
      sessions.delete(session);
      options.orders()?.left(session);
    },
    close() {
      for (const session of sessions.values()) session.end();
      sessions.clear();
      employers.clear();
    },
  };
}
