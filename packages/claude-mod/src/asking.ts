/** What the band asks the program beside it, which asks moth: one JSON text each way, over stdin and stdout. */
export type Question = { session: string; after: number } | { talk: string };

/** Empty when moth has nothing to say. */
export interface Answer {
  line?: string;
  /** Why there is none: a sentence for the person. */
  problem?: string;
}
