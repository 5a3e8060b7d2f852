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

/** What makes moth's lines. */
export interface Voice {
  /** undefined: it has nothing to say. */
  react(turn: Turn): Promise<Remark | undefined>;
  /** Answers the person. */
  chat(text: string, roster: RosterEntry[]): Promise<Remark>;
  /** Forgets its last reactions. */
  reset(): void;
}
