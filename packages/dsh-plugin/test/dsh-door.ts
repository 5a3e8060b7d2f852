/** dsh's door for its clients, as far as moth uses it. Behaves as dsh 0.1.0-rc.8 does. */
import type { ApiProxy } from "../src/dialogs.ts";

export interface Dialog {
  rpcId: string;
  payload: { type: string; sessionId: string; [more: string]: unknown };
}

export interface Door {
  door: ApiProxy;
  /** A dialog opens. @returns what the person, or moth, answers to it */
  open: (dialog: Dialog) => Promise<unknown>;
  /** The person answers in dsh's page, or the dialog ends by itself. */
  close: (rpcId: string, value?: unknown) => void;
  /** Dialogs that are open. */
  dialogs: () => string[];
  /** Who listens to the stream. */
  listeners: () => number;
}

export function dshDoor(): Door {
  const pending = new Map<string, { dialog: Dialog; resolve: (value: unknown) => void }>();
  const streams = new Set<(frame: unknown) => void>();

  function close(rpcId: string, value?: unknown): boolean {
    const settled = pending.get(rpcId);
    pending.delete(rpcId);
    settled?.resolve(value);
    return settled !== undefined;
  }

  async function* stream(signal: AbortSignal): AsyncGenerator {
    let frames: unknown[] = [
      { rpcId: "x", payload: { type: "session/subscribed" } },
      ...[...pending.values()].map(({ dialog }) => dialog),
    ];
    let wake: (() => void) | undefined;
    const push = (frame: unknown): void => {
      frames.push(frame);
      wake?.();
    };
    const end = (): void => wake?.();
    streams.add(push);
    signal.addEventListener("abort", end, { once: true });
    try {
      while (!signal.aborted) {
        const next = frames;
        frames = [];
        yield* next;
        // oxlint-disable-next-line no-await-in-loop -- a stream
        if (frames.length === 0 && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      streams.delete(push);
    }
  }

  return {
    door: {
      events: { mux: (_request, signal) => stream(signal) },
      respond(message) {
        const { rpcId, result } = message as { rpcId: string; result: { value: { sessionId: string } } };
        const asked = pending.get(rpcId)?.dialog.payload;
        if (!asked) return Promise.resolve({ accepted: false, reason: "not-pending" });
        if (result.value.sessionId !== asked.sessionId) return Promise.resolve({ accepted: false, reason: "bad-response" });
        close(rpcId, result.value);
        return Promise.resolve({ accepted: true });
      },
      sessions: { prompt: () => Promise.reject(new Error("not here")), cancel: () => Promise.reject(new Error("not here")) },
    },
    open: (dialog) =>
      new Promise((resolve) => {
        pending.set(dialog.rpcId, { dialog, resolve });
        for (const push of streams) push(dialog);
      }),
    close: (rpcId, value) => void close(rpcId, value),
    dialogs: () => [...pending.keys()],
    listeners: () => streams.size,
  };
}
