/** What the person has a session do that does not wait: checked against its state, then through its harness's door. */
import { type AnswersOffBy, offSentence } from "@moth-companion/core/config";
import type { MothEvent, Order, OrderKind, OrderRequest } from "@moth-companion/core/protocol";
import type { Door, Taken } from "@moth-companion/harnesses";
import type { Refusal } from "./answer.ts";
import type { Clock } from "./clock.ts";
import type { Log, Position } from "./log.ts";
import type { OrderBox } from "./order-box.ts";
import type { Sessions } from "./sessions.ts";
import { within } from "./within.ts";

/** How long a harness may take to say that it has the order. */
const TAKE_MS = 5000;
/** How long moth waits to hear that the session works, so that whoever waits for its end next does not take the old idle for it. */
const START_MS = 3000;

/** Why an order may be refused. */
export const ORDER_REFUSALS = ["ANSWERS_OFF", "NO_SESSION", "GONE", "WAITING", "IDLE", "NOT_HERE", "NOT_TAKEN"] as const;
type OrderRefusal = (typeof ORDER_REFUSALS)[number];

type Ordered = { ok: true } | { refusal: Refusal<OrderRefusal> };

export interface Ordering {
  order(request: OrderRequest): Promise<Ordered>;
  /** What a session can be made to do just now. Nothing while answers are off. */
  takes(source: string, session: string): OrderKind[];
}

export interface OrderingParts {
  sessions: Sessions;
  log: Log;
  clock: Clock;
  doorOf: (source: string) => Door | undefined;
  box: Pick<OrderBox, "send" | "takes">;
  /** The setting that keeps answers off. */
  offBy: () => AnswersOffBy | undefined;
  /** What sessions of a harness need to take messages. */
  needOf?: (source: string) => string | undefined;
  /** How the person calls moth's command. */
  self: string;
}

export function createOrdering({ sessions, log, clock, doorOf, box, offBy, needOf, self }: OrderingParts): Ordering {
  function take(source: string, session: string, order: Order): Promise<Taken> {
    const door = doorOf(source);
    const byDoor = door?.takes?.(session).includes(order.do) ? door.order?.(session, order) : undefined;
    const taken = byDoor ?? box.send(source, session, order);
    const problem = "Its harness did not say within 5 seconds that it has this. Look at its window.";
    return within<Taken>(clock, TAKE_MS, taken, { taken: false, problem });
  }

  /** Resolves once the session has done something since then, which may be over already; or after a while. */
  async function begun(source: string, session: string, since: Position): Promise<void> {
    const isIts = (event: MothEvent): boolean => event.kind === "state" && event.source === source && event.session === session;
    let unlisten: (() => void) | undefined;
    const begins = new Promise<void>((resolve) => {
      const look = (): void => void (log.read(since).events.some(isIts) && resolve());
      unlisten = log.listen(look);
      look();
    });
    await within(clock, START_MS, begins, undefined);
    unlisten?.();
  }

  function takes(source: string, session: string): OrderKind[] {
    if (offBy() !== undefined || sessions.stateOf(source, session) === "gone") return [];
    return [...new Set([...(doorOf(source)?.takes?.(session) ?? []), ...box.takes(source, session)])];
  }

  return {
    takes,
    async order({ source, session = "", do: what, text, by = "unknown" }) {
      const off = offBy();
      if (off !== undefined) return refused("ANSWERS_OFF", offSentence("Talking to agents through moth", off, self));
      const state = sessions.stateOf(source, session);
      if (state === undefined) return refused("NO_SESSION", "moth knows no such session.");
      if (state === "gone") return refused("GONE", "It has ended.");
      if (what === "prompt" && state === "waiting") return refused("WAITING", "It asks you something. Answer that first.");
      if (what === "abort" && state === "idle") return refused("IDLE", "It is idle: there is nothing to end.");
      if (!takes(source, session).includes(what)) {
        const need = needOf?.(source);
        return refused("NOT_HERE", `${NOT_HERE[what]} ${need ?? STARTED_BEFORE}`);
      }
      const order: Order = { do: what, ...(what === "prompt" && text !== undefined && { text }) };
      const since = { since: log.next, epoch: log.epoch };
      const taken = await take(source, session, order);
      if (!taken.taken) return refused("NOT_TAKEN", taken.problem);
      const label = sessions.label(source, session, clock.now());
      log.append({ kind: "order", source, session, label, ...order, by }, clock.now());
      if (what === "prompt" && state === "idle") await begun(source, session, since);
      return { ok: true };
    },
  };
}

const NOT_HERE: Readonly<Record<OrderKind, string>> = {
  prompt: "It takes no messages through moth. Type it in its own window.",
  abort: "It cannot be interrupted through moth. Press Escape in its own window.",
};

/** An adapter listens from an event of its session on, and only while answers and content are on. */
const STARTED_BEFORE =
  "Were answers or content off until now? Then it can from its next turn on, where its harness can at all; else start it anew.";

function refused(code: OrderRefusal, message: string): Ordered {
  return { refusal: { code, message } };
}
