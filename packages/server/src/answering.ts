/** The person's answer on its way to a waiting session: checked against the wait it names, then through its harness's door, once. */
import { type AnswersOffBy, offSentence } from "@moth-companion/core/config";
import { type Answer, type AnswerRequest, CHOICES, type Wait } from "@moth-companion/core/protocol";
import type { Door, Taken } from "@moth-companion/harnesses";
import type { Refusal } from "./answer.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { Sessions } from "./sessions.ts";
import { within } from "./within.ts";

/** How long a harness may take to say that it has the answer. */
export const TAKE_MS = 5000;
/** Answers remembered, so that a second one for the same wait is told so. */
const MAX_CLAIMS = 256;

/** Why an answer may be refused. */
export const ANSWER_REFUSALS = [
  "BAD_FIELD",
  "ANSWERS_OFF",
  "NO_SESSION",
  "STALE",
  "ANSWERED",
  "NOT_ANSWERABLE",
  "NOT_TAKEN",
] as const;
type AnswerRefusal = (typeof ANSWER_REFUSALS)[number];

type Answered = { ok: true } | { refusal: Refusal<AnswerRefusal> };

export interface Answering {
  answer(request: AnswerRequest): Promise<Answered>;
}

export interface AnsweringParts {
  sessions: Sessions;
  log: Log;
  clock: Clock;
  /** The door of a harness, or the mailbox where its adapter fetches answers. */
  doorOf: (source: string) => Pick<Door, "answer">;
  /** The setting that keeps answers off. */
  offBy: () => AnswersOffBy | undefined;
  /** How the person calls moth's command. */
  self: string;
}

export function createAnswering({ sessions, log, clock, doorOf, offBy, self }: AnsweringParts): Answering {
  /** Waits that were answered, or are being. */
  const claims = new Set<string>();

  function claim(key: string): void {
    const oldest = claims.values().next().value;
    if (claims.size >= MAX_CLAIMS && oldest !== undefined) claims.delete(oldest);
    claims.add(key);
  }

  async function take(door: Pick<Door, "answer">, session: string, wait: Wait, answer: Answer): Promise<Answered> {
    const problem = "Its harness did not take the answer within 5 seconds. Look at its window.";
    const taken = await within<Taken>(clock, TAKE_MS, door.answer(session, wait, answer), { taken: false, problem });
    return taken.taken ? { ok: true } : refused("NOT_TAKEN", taken.problem);
  }

  return {
    async answer({ source, session = "", wait: id, choice, text, by = "unknown" }) {
      const off = offBy();
      if (off !== undefined) return refused("ANSWERS_OFF", offSentence("Answering through moth", off, self));
      const waits = sessions.waits(source, session);
      if (!waits) return refused("NO_SESSION", "moth knows no such session.");
      const key = [source, session, id].join("\n");
      const wait = waits.find((open) => open.id === id);
      if (claims.has(key)) return refused("ANSWERED", "This was answered already.");
      if (!wait) return refused("STALE", waits.length > 0 ? "It waits for something else by now." : "It no longer waits.");
      if (!wait.answerable) {
        const why = wait.why === undefined ? "" : ` ${wait.why}`;
        return refused("NOT_ANSWERABLE", `This cannot be answered through moth.${why} Answer it in the session's own window.`);
      }
      const bad = problemOf(wait, { ...(choice !== undefined && { choice }) });
      if (bad !== undefined) return refused("BAD_FIELD", bad);
      const answer: Answer = { ...(choice !== undefined && { choice }), ...(text && { text }) };
      claim(key);
      const taken = await take(doorOf(source), session, wait, answer);
      if ("refusal" in taken) claims.delete(key);
      else {
        const label = sessions.label(source, session, clock.now());
        log.append({ kind: "answer", source, session, label, wait: id, about: wait.kind, ...answer, by }, clock.now());
      }
      return taken;
    },
  };
}

/** What is wrong with an answer to this wait. */
function problemOf({ kind, options }: Wait, { choice }: Answer): string | undefined {
  const choices = options ?? CHOICES[kind];
  if (choice === undefined) return kind === "question" ? undefined : `choice: must be one of ${choices.join(", ")}`;
  if (choices.includes(choice)) return undefined;
  return choices.length > 0
    ? `choice: must be one of ${choices.join(", ")}`
    : "choice: this question has no options; give text instead";
}

function refused(code: AnswerRefusal, message: string): Answered {
  return { refusal: { code, message } };
}
