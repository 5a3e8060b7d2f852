import { ask } from "./ask.ts";
import { answersOn } from "./config.ts";
import type { Env } from "./paths.ts";
import { pause } from "./pause.ts";
import type { FetchedOrder, Order, OrderKind, TakenReport } from "./protocol.ts";
import { cleanId } from "./text.ts";

/** One poll's seconds; the next follows at once. */
const POLL_SECONDS = 50;
/** A moth that is away is looked for again after so many milliseconds, and then no more until the session's next event. */
const AGAIN_MS: readonly number[] = [1000, 3000, 10_000];

/** What became of an order. @see OrderTaker.take */
export type OrderTaken = { taken: true } | { taken: false; problem: string };

export interface OrderTaker {
  source: string;
  session: string;
  /** What this adapter can have the harness do. */
  takes: readonly OrderKind[];
  /**
   * Has the harness do it. A prompt's text is words, whatever it begins with. Resolves once the harness has it, not when it is done;
   * `problem` is a sentence for the person. One that rejects counts as not taken.
   */
  take: (order: Order) => Promise<OrderTaken>;
  env?: Env;
}

export interface OrderListener {
  /** To be called at every event of the session: listens from now on if the person may answer through moth, and it does not yet. */
  look(): void;
  /** The session is over. */
  stop(): void;
}

/** What is fetched, as {@link OrderTaker} names it. */
export type OrderQuery = Pick<OrderTaker, "source" | "session" | "takes" | "env">;

/**
 * Waits for the next order of a session, for as long as answers are on and moth is there.
 * @returns undefined when they are off, moth is away, or `signal` was aborted. Never throws
 */
export async function nextOrder(
  { source, session, takes, env = process.env }: OrderQuery,
  signal: AbortSignal,
): Promise<(Order & { id: string }) | undefined> {
  const query = new URLSearchParams({ source, session: cleanId(session), takes: takes.join(","), for: String(POLL_SECONDS) });
  const path = `/api/orders?${query.toString()}`;
  let misses = 0;
  while (!signal.aborted && answersOn(env)) {
    const began = Date.now();
    // oxlint-disable-next-line no-await-in-loop -- each poll follows the last
    const asked = await ask(path, undefined, { timeoutMs: (POLL_SECONDS + 5) * 1000, env, signal });
    if (asked?.status === 200 && !signal.aborted) {
      const { id, do: what, text } = asked.body as FetchedOrder;
      if (typeof id === "string" && what && takes.includes(what))
        return typeof text === "string" ? { id, do: what, text } : { id, do: what };
      // One that is answered with nothing before its time was cut off by a moth that stops.
      if (Date.now() - began > POLL_SECONDS * 900) {
        misses = 0;
        continue;
      }
    }
    const again = AGAIN_MS[misses++];
    if (again === undefined) return undefined;
    // oxlint-disable-next-line no-await-in-loop -- moth may be about to start again
    await pause(again, signal, { keepsAlive: false });
  }
  return undefined;
}

/** Says what became of a fetched order. Never throws. */
export async function tellTaken(id: string, taken: OrderTaken, env: Env = process.env): Promise<void> {
  await ask("/api/taken", { id, ...taken } satisfies TakenReport, { timeoutMs: 2000, env });
}

/**
 * Listens for what the person has a session do from outside, for an adapter in its harness's process. Listens only while answers are on
 * and moth is there; costs one open connection then, and does not keep the process alive. Never throws.
 */
export function listenForOrders({ take, env = process.env, ...of }: OrderTaker): OrderListener {
  const ending = new AbortController();
  const { signal } = ending;
  let isListening = false;

  async function listen(): Promise<void> {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one order after the other
      const order = await nextOrder({ ...of, env }, signal);
      if (!order) return;
      const { id, ...what } = order;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const taken = await take(what).catch(() => ({ taken: false as const, problem: "Its harness did not take it." }));
      // oxlint-disable-next-line no-await-in-loop -- as above
      await tellTaken(id, taken, env);
    }
  }

  return {
    look() {
      if (isListening || signal.aborted || !answersOn(env)) return;
      isListening = true;
      void listen().finally(() => (isListening = false));
    },
    stop: () => ending.abort(),
  };
}
