import type { OrderTaken } from "./orders.ts";

/** Messages of one session that wait at once, at most. */
const MAX_WAITING = 16;

export interface PromptQueue {
  /** Hands a message over: now, or once the turn that runs is over. */
  give(text: string): Promise<OrderTaken>;
  /** To be called whenever a turn may be over, however it ended: then the message that has waited longest is next. */
  look(): void;
}

export interface PromptQueueOptions {
  /** Whether a turn runs. */
  isBusy: () => boolean;
  /** Hands it to the harness. Resolves once that has begun with it, which may be over by then. */
  send: (text: string) => Promise<OrderTaken>;
}

/**
 * The line of messages before an agent that works, for a harness whose own line would have one join the turn that runs, or be left
 * behind when that is ended. Never throws.
 */
export function createPromptQueue({ isBusy, send }: PromptQueueOptions): PromptQueue {
  const waiting: string[] = [];
  /** One has been handed over, and may not have begun. */
  let isSending = false;

  async function hand(text: string): Promise<OrderTaken> {
    isSending = true;
    try {
      return await send(text);
    } finally {
      isSending = false;
      look();
    }
  }

  function look(): void {
    if (isSending || isBusy()) return;
    const next = waiting.shift();
    // Whoever sent it has been told that it waits; a harness that does not begin with it shows why.
    if (next !== undefined) hand(next).catch(() => {});
  }

  return {
    give(text) {
      if (!isSending && !isBusy() && waiting.length === 0) return hand(text);
      const isFull = waiting.length >= MAX_WAITING;
      if (!isFull) waiting.push(text);
      look();
      return Promise.resolve(isFull ? { taken: false, problem: "Too many messages wait for it already." } : { taken: true });
    },
    look,
  };
}
