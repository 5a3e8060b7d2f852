/**
 * Waits, but not past the end of `signal`. Never rejects.
 * @param options.keepsAlive whether the process goes on for it; it does unless told otherwise
 */
export function pause(ms: number, signal?: AbortSignal, { keepsAlive = true }: { keepsAlive?: boolean } = {}): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (!keepsAlive) timer.unref();
    signal?.addEventListener("abort", end, { once: true });
  });
}
