/** What the person has sessions do from outside: take a prompt, or end their turn. Only while answers are on. */
import { listenForOrders, type OrderListener, type OrderTaken } from "@moth-companion/core/orders";
import type { Env } from "@moth-companion/core/paths";
import { pause } from "@moth-companion/core/pause";
import { createPromptQueue, type PromptQueue } from "@moth-companion/core/prompt-queue";
import type { Door } from "./door.ts";

/** Sessions that are listened for at once; those heard of last. */
const MAX_SESSIONS = 16;
/** Milliseconds in which the harness begins with a prompt. */
const BEGIN_MS = 3000;

export interface Orders {
  /** A session, or a subagent of its, has begun or ended a turn, or waits. */
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

export function createOrders(source: string, door: Door, env: Env = process.env): Orders {
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
    const problem = await door.abort(session);
    return problem === undefined ? { taken: true } : { taken: false, problem };
  }

  function meet(session: string): Taker {
    // One joins the turn that runs when it comes in its middle.
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
