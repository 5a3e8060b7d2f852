/** Finds the dialogs that sessions wait for in dsh's stream of events: nothing else tells how dsh calls them. */
import type { Asks, Read } from "./asks.ts";
import { field, text } from "@moth-companion/core/fields";

/** What is used of dsh's door for its clients, which dsh has where it has a page. Shape as in dsh 0.1.0-rc.8. */
export interface ApiProxy {
  /** The dialogs that are open, and what happens from then on. */
  events: { mux(request: { rpcId: string; payload: object }, signal: AbortSignal): AsyncIterable<unknown> };
  respond(message: object): Promise<unknown>;
  sessions: { prompt: Call; cancel: Call };
}

type Call = (request: { rpcId: string; payload: object }) => Promise<unknown>;

export interface Dialog {
  /** What dsh calls it. */
  id: string;
  asks: Asks;
}

export interface Dialogs {
  /** @returns undefined when `signal` is aborted before the dialog opens */
  find(read: Read, signal: AbortSignal): Promise<Dialog | undefined>;
  forget(dialog: Dialog): void;
}

interface Sought {
  read: Read;
  found: (dialog: Dialog | undefined) => void;
}

export function createDialogs(door: ApiProxy): Dialogs {
  /** In the order in which they were asked: of two of the same words, the first gets the first. */
  const sought = new Set<Sought>();
  const known = new Set<string>();
  /** Open only while a dialog is sought, which is a moment. */
  let stream: AbortController | undefined;

  async function listen(own: AbortController): Promise<void> {
    for await (const frame of door.events.mux({ rpcId: "moth", payload: {} }, own.signal)) {
      match(frame);
      if (own.signal.aborted) return;
    }
  }

  function match(frame: unknown): void {
    const id = text(frame, "rpcId");
    if (id === undefined || known.has(id)) return;
    for (const one of sought) {
      const asks = one.read(field(frame, "payload"));
      if (!asks) continue;
      known.add(id);
      return leave(one, { id, asks });
    }
  }

  function leave(one: Sought, dialog?: Dialog): void {
    sought.delete(one);
    one.found(dialog);
    if (sought.size > 0) return;
    stream?.abort();
    stream = undefined;
  }

  return {
    find: (read, signal) =>
      new Promise((found) => {
        const one = { read, found };
        sought.add(one);
        signal.addEventListener("abort", () => leave(one), { once: true });
        if (stream) return;
        const own = new AbortController();
        stream = own;
        listen(own)
          .catch(() => {})
          .finally(() => {
            // It may have ended by itself.
            if (stream === own) stream = undefined;
          });
      }),
    forget: ({ id }) => void known.delete(id),
  };
}
