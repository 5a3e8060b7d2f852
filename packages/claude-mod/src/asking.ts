import type { Order } from "@moth-companion/core/protocol";

/** What the band asks the program beside it, which asks moth: one JSON text each way, over stdin and stdout. */
export type Question =
  | { session: string; after: number }
  | { talk: string }
  /** The next order of a session; `told`: what became of the one before. */
  | { orders: string; told?: Told };

/** What became of an order. */
export interface Told {
  id: string;
  taken: boolean;
  problem?: string;
}

/** Empty when moth has nothing to say. */
export interface Answer {
  line?: string;
  /** Why there is none: a sentence for the person. */
  problem?: string;
  order?: Order & { id: string };
}
