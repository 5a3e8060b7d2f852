/**
 * Calls `late` after `ms`. In two halves, between which the system is asked once more what has come: a process that was held up, on a
 * busy machine or by its harness, finds its time over before it has looked at what was there all along.
 * @returns the function that takes it back
 */
export function deadline(ms: number, late: () => void, { keepsAlive }: { keepsAlive: boolean }): () => void {
  const after = (fn: () => void): ReturnType<typeof setTimeout> => {
    const set = setTimeout(fn, ms / 2);
    if (!keepsAlive) set.unref();
    return set;
  };
  let timer = after(() => (timer = after(late)));
  return () => clearTimeout(timer);
}
