import type { Notice } from "./notifier.ts";

export const BACKENDS = ["desktop", "terminal", "command"] as const;
export type BackendName = (typeof BACKENDS)[number];

/** One way to tell the person. Rejects with a sentence for the person when it cannot. */
export interface Backend {
  show(notice: Notice): Promise<void>;
  /** The notice is over. Nothing happens when it is not, or no longer, shown. */
  withdraw(notice: Notice): Promise<void>;
  /** Lets go of what it holds; what is shown stays. */
  stop?(): void;
}

/** What the person did with a notice: put it away, clicked it, or chose an answer to what it asks. */
export type Answered = { key: string; how: "dismissed" | "opened" } | { notice: Notice; how: "answered"; choice: string };

/** Takes what the person did. @returns why an answer was not taken, a sentence; undefined: it was */
export type OnAnswer = (answered: Answered) => Promise<string | undefined>;
