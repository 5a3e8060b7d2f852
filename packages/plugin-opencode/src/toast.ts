import { showInHarness } from "@moth-companion/core/config";
import { ownLine } from "@moth-companion/core/own-line";
import type { Env } from "@moth-companion/core/paths";

/** moth's line in a toast, for a terminal in which moth draws nothing else. Nobody waits for any of it. */
export interface Toast {
  /** A turn was reported, at `after` or later (ms since 1970). */
  turned(session: string, after: number): void;
  /** A session works. It says so anew at each step of a turn, once more behind the reply. */
  busy(): void;
  idle(): void;
  close(): void;
}

export interface ToastOptions {
  source: string;
  env?: Env;
  /** Whether moth's line stands in the window already. */
  isDrawn: () => boolean;
  show: (text: string) => Promise<unknown>;
}

export function createToast({ source, env = process.env, isDrawn, show }: ToastOptions): Toast {
  let turn = new AbortController();
  let isIdle = false;
  const isWanted = (): boolean => !isDrawn() && showInHarness(env).value;

  async function awaitLine(session: string, after: number, signal: AbortSignal): Promise<void> {
    const line = await ownLine({ source, session }, after, { env, signal });
    // It may have been turned off while moth was thinking.
    if (line && !signal.aborted && isWanted()) await show(line.text);
  }

  return {
    turned(session, after) {
      turn.abort();
      if (!isWanted()) return;
      turn = new AbortController();
      awaitLine(session, after, turn.signal).catch(() => {});
    },
    busy() {
      // The person goes on: a line that is yet to come has had its time.
      if (isIdle) turn.abort();
      isIdle = false;
    },
    idle: () => void (isIdle = true),
    close: () => turn.abort(),
  };
}
