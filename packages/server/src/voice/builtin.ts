import type { Remark, RosterEntry, Turn, Voice } from "./voice.ts";

/** The voice without a model. `random` gives numbers from 0 up to 1. */
export function createBuiltinVoice(random: () => number): Voice {
  return {
    react(turn: Turn): Promise<Remark | undefined> {
      return Promise.resolve({ text: random() < 2 ? "noted." : "", ...(turn.quote ? { quote: turn.quote } : {}) });
    },
    chat(_text: string, _roster: RosterEntry[]): Promise<Remark> {
      return Promise.resolve({ text: "hello." });
    },
    reset() {},
  };
}
