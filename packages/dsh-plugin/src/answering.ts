/** The person's answers to what sessions ask, from moth through dsh's own door. Only while answers are on. */
import { awaitAnswer } from "@moth-companion/core/answers";
import { answersOn } from "@moth-companion/core/config";
import type { Env } from "@moth-companion/core/paths";
import type { Wait } from "@moth-companion/core/protocol";
import type { Read } from "./asks.ts";
import { type ApiProxy, createDialogs, type Dialog, type Dialogs } from "./dialogs.ts";
import { field } from "@moth-companion/core/fields";

/** moth shows no more of a text; what is not seen whole is not answered. */
const MAX_TEXT = 4000;

interface Waiting {
  /** Whose wait it is, to moth. */
  session: string;
  wait: string;
  /** Finds the dialog that asks. */
  read: Read;
  /** Aborted when the wait is over. */
  over: AbortSignal;
  /** Tells moth what is asked. */
  tell: (asked: Pick<Wait, "text" | "options" | "answerable" | "why">) => void;
}

export interface Answering {
  /** From now on dialogs can be answered by this door. @returns what leaves it */
  enter(door: ApiProxy): () => void;
  /** A session waits. Nobody waits for this; it never throws. */
  asked(waiting: Waiting): void;
}

/** @param source whose sessions they are */
export function createAnswering(source: string, env: Env = process.env): Answering {
  let entered: { door: ApiProxy; dialogs: Dialogs } | undefined;
  const attended = new Set<AbortController>();

  async function attend({ door, dialogs }: NonNullable<typeof entered>, waiting: Waiting): Promise<void> {
    const stop = new AbortController();
    const end = (): void => stop.abort();
    attended.add(stop);
    waiting.over.addEventListener("abort", end, { once: true });
    const dialog = await dialogs.find(waiting.read, stop.signal);
    try {
      if (dialog && !stop.signal.aborted) await answer(door, waiting, dialog, stop.signal);
    } finally {
      attended.delete(stop);
      waiting.over.removeEventListener("abort", end);
      if (dialog) dialogs.forget(dialog);
    }
  }

  async function answer(
    door: ApiProxy,
    { session, wait, tell }: Waiting,
    { id, asks }: Dialog,
    signal: AbortSignal,
  ): Promise<void> {
    const { text: asked, options, give, why } = asks;
    const answerable = give !== undefined && asked.length <= MAX_TEXT;
    const again = (): void => tell({ text: asked, ...(options && { options }), ...(why && { why }), answerable });
    again();
    if (!answerable) return;
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- after one that dsh does not take, another may come
      const arrived = await awaitAnswer({ source, session, wait }, { env, signal, again });
      if (!arrived) return;
      const given = give(arrived);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const problem = "problem" in given ? given.problem : await respond(door, id, given.value);
      if (problem === undefined) return arrived.taken();
      arrived.refused(problem);
    }
  }

  return {
    enter(door) {
      const own = { door, dialogs: createDialogs(door) };
      entered = own;
      return () => {
        if (entered === own) entered = undefined;
        for (const stop of attended) stop.abort();
      };
    },
    asked(waiting) {
      if (entered && answersOn(env)) attend(entered, waiting).catch(() => {});
    },
  };
}

/** @returns why dsh did not take it, for the person */
async function respond(door: ApiProxy, rpcId: string, value: object): Promise<string | undefined> {
  const receipt = await door.respond({ type: "client-response", rpcId, result: { ok: true, value } }).catch(() => undefined);
  if (field(receipt, "accepted") === true) return undefined;
  return field(receipt, "reason") === "not-pending"
    ? "It was answered in its page."
    : "dsh did not take it. Answer it in its page.";
}
