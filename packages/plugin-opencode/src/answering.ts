/** The person's answers to what sessions ask, from moth through the harness's own door. Only while answers are on. */
import { awaitAnswer } from "@moth-companion/core/answers";
import { answersOn } from "@moth-companion/core/config";
import type { Env } from "@moth-companion/core/paths";
import type { Wait } from "@moth-companion/core/protocol";
import { type Asks, readPermission, readQuestion } from "./asks.ts";
import type { Door } from "./door.ts";
import type { Heard } from "./event.ts";
import { field } from "@moth-companion/core/fields";

export interface Waiting {
  /** Whose wait it is, to moth: a subagent's is its parent's. */
  session: string;
  heard: Heard & { what: "asked" };
  /** Aborted when the wait is over. */
  over: AbortSignal;
  /** Tells moth what is asked. */
  tell: (asked: Pick<Wait, "text" | "options" | "answerable" | "why">) => void;
}

/** @returns is told of each wait. Nobody waits for it; it never throws. */
export function createAnswering(source: string, door: Door | undefined, env: Env = process.env): (waiting: Waiting) => void {
  async function answer({ session, heard, over, tell }: Waiting, open: Door): Promise<void> {
    const { text, options, give, why } = await read(open, heard, over);
    if (over.aborted) return;
    const again = (): void => tell({ text, ...(options && { options }), ...(why && { why }), answerable: give !== undefined });
    again();
    if (!give) return;
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- after one that the harness does not take, another may come
      const arrived = await awaitAnswer({ source, session, wait: heard.id }, { env, signal: over, again });
      if (!arrived) return;
      const given = give(arrived);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const problem = "problem" in given ? given.problem : await open.reply(heard.kind, heard.id, given.reply);
      if (problem === undefined) return arrived.taken();
      arrived.refused(problem);
    }
  }

  return (waiting) => {
    if (door && answersOn(env)) answer(waiting, door).catch(() => {});
  };
}

async function read(door: Door, heard: Waiting["heard"], over: AbortSignal): Promise<Asks> {
  if (heard.kind === "question") return readQuestion(heard.asked);
  const input = await door.inputOf(heard.session, field(heard.asked, "tool"), over);
  return readPermission(heard.asked, input);
}
