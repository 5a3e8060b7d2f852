/** The person's answers to what the agent asks, from moth to the dialog on the screen. Only while answers are on. */
import { awaitAnswer } from "@moth-companion/core/answers";
import { answersOn } from "@moth-companion/core/config";
import type { Env } from "@moth-companion/core/paths";
import type { Wait } from "@moth-companion/core/protocol";
import type { Asks, Read } from "./asks.ts";
import { type Dialog, watchDialogs } from "./dialogs.ts";
import type { Place } from "./door.ts";
import type { Listener } from "./listener.ts";

/** moth shows no more of a text; what is not seen whole is not answered. */
const MAX_TEXT = 4000;

export interface Answering {
  /** From now on the dialogs of this `ctx.ui` can be answered. */
  enter(ui: unknown): void;
  /** The agent waits. @param read finds the dialog that asks, which may be open already or come later */
  asked(place: Place, wait: Pick<Wait, "id" | "kind" | "tool">, read: Read): void;
  /** That wait is over. */
  answered(place: Place, id: string): void;
  /** The turn is over: a dialog that comes now is of none of its waits. */
  settled(): void;
  /** Lets go of the dialogs; they stay usable. */
  leave(): void;
}

export interface AnsweringOptions {
  source: string;
  listener: Pick<Listener, "asked" | "answered">;
  env?: Env;
}

interface Waiting {
  place: Place;
  wait: Pick<Wait, "id" | "kind" | "tool">;
  read: Read;
}

export function createAnswering({ source, listener, env = process.env }: AnsweringOptions): Answering {
  /** Dialogs whose wait is not known yet, and waits whose dialog is not. */
  const dialogs = new Set<Dialog>();
  const waits = new Map<string, Waiting>();
  const fetching = new Set<AbortController>();
  let unwatch: (() => void) | undefined;

  function opened(dialog: Dialog): void {
    for (const [id, waiting] of waits) {
      const asks = waiting.read(dialog);
      if (!asks) continue;
      waits.delete(id);
      return tell(waiting, dialog, asks);
    }
    dialogs.add(dialog);
    dialog.over.addEventListener("abort", () => dialogs.delete(dialog), { once: true });
  }

  function tell({ place, wait }: Waiting, dialog: Dialog, { text, options, give, why }: Asks): void {
    const answerable = give !== undefined && text.length <= MAX_TEXT;
    const again = (): boolean =>
      listener.asked(place, { ...wait, text, ...(options && { options }), ...(why && { why }), answerable });
    if (again() && answerable) answer(place, wait.id, dialog, give, again).catch(() => {});
  }

  async function answer(
    place: Place,
    wait: string,
    dialog: Dialog,
    give: NonNullable<Asks["give"]>,
    again: () => void,
  ): Promise<void> {
    const stop = new AbortController();
    fetching.add(stop);
    dialog.over.addEventListener("abort", () => stop.abort(), { once: true });
    try {
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- after one that the dialog does not take, another may come
        const arrived = await awaitAnswer({ source, session: place.session, wait }, { env, signal: stop.signal, again });
        if (!arrived) return;
        const given = give(arrived);
        if ("problem" in given) arrived.refused(given.problem);
        else if (dialog.close(given.value)) arrived.taken();
        else arrived.refused("It was answered in its window.");
      }
    } finally {
      fetching.delete(stop);
    }
  }

  function leave(): void {
    unwatch?.();
    unwatch = undefined;
    dialogs.clear();
    waits.clear();
    for (const stop of fetching) stop.abort();
  }

  return {
    enter(ui) {
      unwatch?.();
      unwatch = watchDialogs(ui, { isOn: () => answersOn(env), opened });
    },
    asked(place, wait, read) {
      const waiting = { place, wait, read };
      for (const dialog of dialogs) {
        const asks = read(dialog);
        if (!asks) continue;
        dialogs.delete(dialog);
        return tell(waiting, dialog, asks);
      }
      if (listener.asked(place, wait)) waits.set(wait.id, waiting);
    },
    answered(place, id) {
      waits.delete(id);
      listener.answered(place, id);
    },
    settled: () => waits.clear(),
    leave,
  };
}
