/** Time as the server sees it. Tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970. May jump, also backwards. */
  now(): number;
  /** Calls `fn` once after `ms`. Returns a function that calls it off. Keeps no process alive. */
  after(ms: number, fn: () => void): () => void;
}

/** A longer delay would make Node fire at once. */
const LONGEST = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, Math.min(Math.max(ms, 0), LONGEST));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** A timer that is set to a moment, moved, or taken away. */
export interface Alarm {
  /** Fires `fn` at `at` (as `now()` counts), or not at all when undefined. Replaces what was set. */
  set(at: number | undefined): void;
}

export function createAlarm(clock: Clock, fn: () => void): Alarm {
  let setTo: number | undefined;
  let cancel: (() => void) | undefined;
  return {
    set(at) {
      if (at === setTo) return;
      cancel?.();
      cancel = undefined;
      setTo = at;
      if (at === undefined) return;
      // At least one millisecond: a timer that fires a little early must not spin.
      cancel = clock.after(Math.max(1, at - clock.now()), () => {
        setTo = cancel = undefined;
        fn();
      });
    },
  };
}
