/** The orders that adapters fetch, and which sessions have somebody who does. */
import type { FetchedOrder, Order, OrderKind } from "@moth-companion/core/protocol";
import type { Taken } from "@moth-companion/harnesses";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import { createMailbox, type Fetching, type Mailbox } from "./mailbox.ts";

/** Sessions that are listened for at once. */
const MAX_LISTENERS = 192;
/** Between two fetches an adapter is not away for longer: it may be about to do what it was told. */
const AWAY_MS = 6000;

interface Of {
  source: string;
  session: string;
}

export interface OrderBox extends Pick<Mailbox<Order>, "taken" | "hasRoom" | "close"> {
  send(source: string, session: string, order: Order): Promise<Taken>;
  fetch(of: Of, takes: readonly OrderKind[], fetching: Omit<Fetching, "over">): Promise<FetchedOrder>;
  /** What the adapter that fetches for a session can have it do. */
  takes(source: string, session: string): readonly OrderKind[];
}

export function createOrderBox({ clock, log }: { clock: Clock; log: Log }): OrderBox {
  const box = createMailbox<Order>({ name: "o", clock, log, maxFetchers: MAX_LISTENERS });
  const listeners = new Map<string, { takes: readonly OrderKind[]; forget?: () => void }>();
  return {
    send: (source, session, order) => box.send(address({ source, session }), order),
    async fetch(of, takes, fetching) {
      const at = address(of);
      const listener = { takes, forget: () => {} };
      listeners.get(at)?.forget?.();
      listeners.set(at, listener);
      let isHere = true;
      fetching.onClose(() => (isHere = false));
      const order = await box.fetch(at, fetching);
      const forget = (): void => void (listeners.get(at) === listener && listeners.delete(at));
      // Whoever went without waiting for the answer is gone; the others come again.
      if (isHere) listener.forget = clock.after(AWAY_MS, forget);
      else forget();
      return "over" in order ? {} : order;
    },
    takes: (source, session) => listeners.get(address({ source, session }))?.takes ?? [],
    taken: box.taken,
    get hasRoom() {
      return box.hasRoom;
    },
    close: box.close,
  };
}

/** Clean ids hold no line break. */
function address({ source, session }: Of): string {
  return `${source}\n${session}`;
}
