import type { Clock } from "./clock.ts";

/** What comes first: `promise`, or `otherwise` after `ms`. */
export async function within<T>(clock: Clock, ms: number, promise: Promise<T>, otherwise: T): Promise<T> {
  let cancel: (() => void) | undefined;
  const late = new Promise<T>((resolve) => (cancel = clock.after(ms, () => resolve(otherwise))));
  try {
    return await Promise.race([promise, late]);
  } finally {
    cancel?.();
  }
}
