import type { Heard, Info } from "./event.ts";

/** What is kept of one session until it is known, at most. */
const MAX_HELD = 200;

/**
 * Sessions that were heard before they introduced themselves: whether one is a subagent decides what its words are, so they wait until
 * the harness has told.
 */
export interface Strangers {
  hold(heard: Heard): void;
  /** It is known now: what waited is heard. */
  met(session: string): void;
}

export function createStrangers(lookUp: (session: string) => Promise<Info | undefined>, hear: (heard: Heard) => void): Strangers {
  const held = new Map<string, Heard[]>();

  async function ask(session: string): Promise<void> {
    try {
      const info = await lookUp(session);
      if (info?.session === session && held.has(session)) hear({ what: "session", ...info });
    } catch {
      // It is asked again at its next event.
    }
    held.delete(session);
  }

  return {
    hold(heard) {
      const waiting = held.get(heard.session);
      if (waiting) {
        if (waiting.length < MAX_HELD) waiting.push(heard);
        return;
      }
      // Words of a message that was not begun before our eyes: the person's, as a rule. They are no reply, whoever spoke.
      if (heard.what === "text") return;
      held.set(heard.session, [heard]);
      void ask(heard.session);
    },
    met(session) {
      const waiting = held.get(session) ?? [];
      held.delete(session);
      for (const heard of waiting) hear(heard);
    },
  };
}
