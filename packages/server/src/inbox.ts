import { createFifo } from "./fifo.ts";

/** Work put off until the asker has its answer: an adapter never waits for moth to think. */
export interface Inbox {
  /** Runs `work` soon, after all that was put in before. `size`: what it holds on to, in UTF-16 units. */
  put(size: number, work: () => void): void;
  /** Runs all of it now. */
  flush(): void;
  clear(): void;
}

/** What may be put off, in items and in UTF-16 units; past that, the asker waits while moth catches up. */
export interface InboxLimits {
  items: number;
  size: number;
}

const LIMITS: InboxLimits = { items: 500, size: 2 * 1024 * 1024 };
/** How long moth thinks before it hears again, in milliseconds. */
const SLICE_MS = 1;

export function createInbox(limits: InboxLimits = LIMITS): Inbox {
  const items = createFifo<{ size: number; work: () => void }>();
  let held = 0;
  let next: NodeJS.Immediate | undefined;

  function runWhile(goesOn: () => boolean): void {
    while (items.size > 0 && goesOn()) {
      const { size, work } = items.shift()!;
      held -= size;
      work();
    }
  }

  function runSlice(): void {
    const until = performance.now() + SLICE_MS;
    runWhile(() => performance.now() < until);
    next = items.size > 0 ? setImmediate(runSlice) : undefined;
  }

  return {
    put(size, work) {
      items.push({ size, work });
      held += size;
      runWhile(() => items.size > limits.items || held > limits.size);
      next ??= setImmediate(runSlice);
    },
    flush: () => runWhile(() => true),
    clear() {
      items.clear();
      held = 0;
      if (next) clearImmediate(next);
      next = undefined;
    },
  };
}
