/** What the person has the sessions of one process do from outside: take a prompt, or end their turn. Only while answers are on. */
import { listenForOrders, type OrderListener, type OrderTaken } from "./orders.ts";
import type { Env } from "./paths.ts";
import { pause } from "./pause.ts";
import { createPromptQueue, type PromptQueue } from "./prompt-queue.ts";

/** Sessions that are listened for at once; those heard of last. */
const MAX_SESSIONS = 16;
/** Milliseconds in which the harness begins with a prompt. */
const BEGIN_MS = 3000;

/** A harness's way in for the person's orders. Each gives back why it was not taken, a sentence for the person, or undefined. */
export interface OrderDoor {
  /** Gives a session that is idle its next prompt, which is words. */
  prompt(session: string, words: string): Promise<string | undefined>;
  /** Ends the turn that a session runs. */
  abort(session: string): Promise<string | undefined>;
}

export interface SessionOrders {
  /** A session has begun or ended a turn, or may have. @param isIdle whether it takes a prompt that no turn is cut or changed by */
  heard(session: string, isIdle: boolean): void;
  left(session: string): void;
  close(): void;
}

interface Taker {
  isIdle: boolean;
  /** Aborted by the turn that begins next. */
  beginning: AbortController;
  listener: OrderListener;
  queue: PromptQueue;
}

/** Keeps what comes while a session works until its turn is over. Never throws. */
export function createSessionOrders(source: string, door: OrderDoor, env: Env = process.env): SessionOrders {
  const takers = new Map<string, Taker>();

  async function send(session: string, text: string): Promise<OrderTaken> {
    const begins = takers.get(session)?.beginning.signal;
    const problem = await door.prompt(session, text);
    if (problem !== undefined) return { taken: false, problem };
    // It says only that it has it.
    await pause(BEGIN_MS, begins, { keepsAlive: false });
    return { taken: true };
  }

  async function abort(session: string): Promise<OrderTaken> {
    const isIdle = takers.get(session)?.isIdle ?? true;
    const problem = isIdle ? "No turn of its own runs: what works is in the background." : await door.abort(session);
    return problem === undefined ? { taken: true } : { taken: false, problem };
  }

  function meet(session: string): Taker {
    const queue = createPromptQueue({ isBusy: () => !taker.isIdle, send: (text) => send(session, text) });
    const listener = listenForOrders({
      source,
      session,
      takes: ["prompt", "abort"],
      take: (order) => (order.do === "abort" ? abort(session) : queue.give(order.text ?? "")),
      env,
    });
    const taker: Taker = { isIdle: true, beginning: new AbortController(), listener, queue };
    const [oldest] = takers.keys();
    if (takers.size >= MAX_SESSIONS && oldest !== undefined) left(oldest);
    return taker;
  }

  function left(session: string): void {
    takers.get(session)?.listener.stop();
    takers.delete(session);
  }

  return {
    heard(session, isIdle) {
      const taker = takers.get(session) ?? meet(session);
      // The one heard of last comes last.
      takers.delete(session);
      takers.set(session, taker);
      const begins = taker.isIdle && !isIdle;
      taker.isIdle = isIdle;
      if (begins) {
        taker.beginning.abort();
        taker.beginning = new AbortController();
      }
      taker.listener.look();
      taker.queue.look();
    },
    left,
    close() {
      for (const session of takers.keys()) left(session);
    },
  };
}
