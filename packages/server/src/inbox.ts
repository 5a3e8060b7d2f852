import type { Clock } from "./clock.ts";
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
/**
 * How long moth gathers under load before it thinks again, in milliseconds. What is thought in one go finds the processor's caches
 * warm, which makes a turn much cheaper than alone among requests.
 */
export const REST_MS = 5;

export function createInbox(clock: Clock, limits: InboxLimits = LIMITS): Inbox {
  const items = createFifo<{ size: number; work: () => void }>();
  let held = 0;
  let cancel: (() => void) | undefined;
  let rested = -Infinity;

  function runWhile(goesOn: () => boolean): void {
    while (items.size > 0 && goesOn()) {
      const { size, work } = items.shift()!;
      held -= size;
      work();
    }
  }

  function runSlice(): void {
    const until = performance.now() + SLICE_MS;
    let done = 0;
    // One at least: on a machine that is busy the time may be up before the first.
    runWhile(() => done++ === 0 || performance.now() < until);
    rested = clock.now();
    cancel = items.size > 0 ? soon() : undefined;
  }

  function soon(): () => void {
    const immediate = setImmediate(runSlice);
    return () => clearImmediate(immediate);
  }

  return {
    put(size, work) {
      items.push({ size, work });
      held += size;
      runWhile(() => items.size > limits.items || held > limits.size);
      cancel ??= clock.now() - rested < REST_MS ? clock.after(REST_MS, runSlice) : soon();
    },
    flush: () => runWhile(() => true),
    clear() {
      items.clear();
      held = 0;
      cancel?.();
      cancel = undefined;
    },
  };
}
