import type { Outcome, State, TurnClass, WaitKind } from "@moth-companion/core/protocol";

/** What a voice knows of the turn it reacts to. */
export interface Turn {
  source: string;
  session: string;
  label: string;
  class: TurnClass;
  outcome: Outcome;
  /** The one sentence of the agent the reaction stands on. */
  quote: string;
  text: string;
  /** Characters of the whole reply, where moth was told its beginning alone, or, with an empty `text`, nothing of it. */
  chars?: number;
  /** Milliseconds from the person's prompt to the reply. */
  took?: number;
}

/** A line of moth's own. `text` never repeats what the agent wrote; `quote` is the sentence it reacts to. */
export interface Remark {
  text: string;
  quote?: string;
  /** Short names in `text` that are the agent's words, such as a test's: who has no token does not get them. */
  names?: string[];
}

/** One session, as moth may speak of it. */
export interface RosterEntry {
  label: string;
  state: State;
  wait?: WaitKind;
}

/** Something a voice did in moth's home on the way to a line. */
export interface Deed {
  /** As one would type it: `cat likes.md`. */
  text: string;
  /** Why it was not done. */
  error?: string;
}

/** What makes moth's lines. `did` is told what it does on the way, as it does it. */
export interface Voice {
  /** undefined: it has nothing to say. */
  react(turn: Turn, did?: (deed: Deed) => void): Promise<Remark | undefined>;
  /** Answers the person. */
  chat(text: string, roster: RosterEntry[], did?: (deed: Deed) => void): Promise<Remark>;
  /** Forgets what was said; with `everything`, its last reactions too. */
  reset(everything: boolean): void;
}
