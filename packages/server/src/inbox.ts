/** Work put off until the asker has its answer: an adapter never waits for moth to think. */
export interface Inbox {
  /** Runs `work` soon, after all that was put in before. `size`: what it holds on to, in UTF-16 units. */
  put(size: number, work: () => void): void;
  /** Runs all of it now. */
  flush(): void;
  clear(): void;
}

/** What may be put off; past that, the asker waits after all. */
const MAX_HELD: number = 2 * 1024 * 1024;
/** How long moth thinks before it hears again, in milliseconds. */
const SLICE_MS = 1;

export function createInbox(max: number = MAX_HELD): Inbox {
  let items: { size: number; work: () => void }[] = [];
  let at = 0;
  let held = 0;
  let next: NodeJS.Immediate | undefined;

  function runOne(): void {
    const { size, work } = items[at++]!;
    held -= size;
    work();
  }

  function runSome(): void {
    next = undefined;
    const until = performance.now() + SLICE_MS;
    do runOne();
    while (at < items.length && performance.now() < until);
    if (at < items.length) next = setImmediate(runSome);
    else clear();
  }

  function clear(): void {
    items = [];
    at = held = 0;
    if (next) clearImmediate(next);
    next = undefined;
  }

  function flush(): void {
    while (at < items.length) runOne();
    clear();
  }

  return {
    put(size, work) {
      items.push({ size, work });
      held += size;
      if (held > max) flush();
      else next ??= setImmediate(runSome);
    },
    flush,
    clear,
  };
}
