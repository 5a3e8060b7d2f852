/** What the band asks the program beside it, which asks moth: one JSON text each way, over stdin and stdout. */
export type Question = { session: string; after: number } | { talk: string };

/** moth's line, or a sentence for the person that says why there is none. Nothing at all: moth has nothing to say. */
export interface Answer {
  line?: string;
}
