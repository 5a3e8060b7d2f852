import type { Outcome, TurnClass } from "@moth-companion/core/protocol";
import { cutText, oneLine } from "@moth-companion/core/text";

/** What a turn is to the person. */
export interface Triage {
  class: TurnClass;
  /** The one sentence of the agent it stands on: one line, without Markdown marks, at most 160 characters. May be empty. */
  quote: string;
}

const RANK: Record<TurnClass, number> = { failure: 3, apology: 3, question: 2, long: 1, done: 0 };

/** How interesting a class is; larger is more. */
export function rank(c: TurnClass): number {
  return RANK[c];
}

/** Whether moth may speak up at once, though it has just spoken. */
export function isUrgent(c: TurnClass): boolean {
  return c === "failure" || c === "apology" || c === "long";
}

/** Reads an agent's final reply. Pure; takes time in proportion to the text's length. */
export function triage(text: string, outcome: Outcome): Triage {
  return { class: outcome === "failed" ? "failure" : "done", quote: cutText(oneLine(text), 160) };
}
