/** What the person has the agent do from outside: take a prompt, or end its turn. Only while answers are on. */
import { field } from "@moth-companion/core/fields";
import { listenForOrders, type OrderListener, type OrderTaken } from "@moth-companion/core/orders";
import type { Env } from "@moth-companion/core/paths";
import { pause } from "@moth-companion/core/pause";
import { createPromptQueue, type PromptQueue } from "@moth-companion/core/prompt-queue";
import type { Order } from "@moth-companion/core/protocol";
import type { Place } from "./door.ts";
import { type Host, listen, listenForPrompts } from "./host.ts";
import { goesOn } from "./omp.ts";

/** Milliseconds in which the harness has a prompt, and between two looks whether it has. */
const TAKE_MS = 4000;
const LOOK_MS = 20;

export interface Orders {
  /** From now on this agent takes orders. */
  enter(place: Place, context: unknown): void;
  leave(): void;
}

/** What is used of an event handler's context (Pi 1.6.0, omp 18.2.3). */
interface Agent {
  isIdle(): boolean;
  hasPendingMessages(): boolean;
  /** Ends the turn as Escape does. */
  abort(): void;
}

/** After each of these it is looked whether the person has turned answers on; in omp any may come with another session. */
const MOMENTS = {
  pi: ["agent_start", "turn_end", "agent_settled"],
  omp: ["agent_start", "turn_end", "agent_end", "session_switch", "session_branch", "session_tree"],
};

interface OrdersOptions {
  env?: Env;
  /** Milliseconds a harness may take to begin with a prompt. */
  takeMs?: number;
}

export function createOrders(
  source: "pi" | "omp",
  host: Host,
  { env = process.env, takeMs = TAKE_MS }: OrdersOptions = {},
): Orders {
  let here: { session: string; listener: OrderListener; queue: PromptQueue } | undefined;
  let agent: Agent | undefined;
  let running = false;
  /** How many prompts and runs have begun. */
  let begun = 0;

  async function becomes(holds: () => boolean): Promise<boolean> {
    for (const end = Date.now() + takeMs; Date.now() < end && !holds();) {
      // oxlint-disable-next-line no-await-in-loop -- each look follows the last
      await pause(LOOK_MS, undefined, { keepsAlive: false });
    }
    return holds();
  }

  async function prompt(words: string, to = agent): Promise<OrderTaken> {
    if (!to) return { taken: false, problem: "It has ended." };
    // The end of a turn is told while omp still has to do with it.
    if (source === "omp") await becomes(() => to.isIdle());
    const idle = to.isIdle();
    const before = begun;
    // Without it Pi loses a message that comes while it works; with it omp begins nothing while it is idle.
    if (idle && source === "omp") host.sendUserMessage?.(words);
    else host.sendUserMessage?.(words, { deliverAs: "followUp" });
    // What keeps a harness from taking it, it shows in its window alone.
    if (await becomes(() => begun > before || (!idle && to.hasPendingMessages()))) return { taken: true };
    return { taken: false, problem: "It did not begin with that. Its window says why." };
  }

  /** Pi has a line of its own, in the person's sight. omp's is out of sight, and a turn that is ended from outside leaves it behind. */
  function line(): PromptQueue {
    return createPromptQueue({ isBusy: () => source === "omp" && running, send: (words) => prompt(words) });
  }

  async function take(order: Order): Promise<OrderTaken> {
    if (!agent || !here) return { taken: false, problem: "It has ended." };
    if (order.do === "prompt") return here.queue.give(order.text ?? "");
    if (agent.isIdle()) return { taken: false, problem: "It is idle: there is nothing to end." };
    agent.abort();
    return { taken: true };
  }

  function look(place: Place, context: unknown): void {
    agent = context as Agent;
    if (here?.session !== place.session) {
      here?.listener.stop();
      const { session } = place;
      const listener = listenForOrders({ source, session, takes: ["prompt", "abort"], take, env });
      here = { session, listener, queue: line() };
    }
    here.listener.look();
    here.queue.look();
  }

  for (const moment of MOMENTS[source]) {
    listen(host, moment, (event, place, context) => {
      if (moment === "agent_start") {
        begun++;
        running = true;
      }
      if (moment === "agent_settled" || (moment === "agent_end" && !goesOn(event, context))) running = false;
      if (here) look(place, context);
    });
  }
  listenForPrompts(host, () => void begun++);

  return {
    enter(place, context) {
      const has = ["isIdle", "hasPendingMessages", "abort"].every((name) => typeof field(context, name) === "function");
      // A program that shows the harness's dialogs, and a run without a window, have their prompts from elsewhere.
      if (has && typeof host.sendUserMessage === "function" && place.screen?.hasEditor) look(place, context);
    },
    leave() {
      here?.listener.stop();
      here = undefined;
      agent = undefined;
    },
  };
}
