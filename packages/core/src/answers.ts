import { ask } from "./ask.ts";
import { answersOn } from "./config.ts";
import type { Env } from "./paths.ts";
import { pause } from "./pause.ts";
import type { Answer, FetchedAnswer, TakenReport } from "./protocol.ts";
import { cleanId } from "./text.ts";

/** One poll's seconds; the next follows at once. */
const POLL_SECONDS = 50;
/** A moth that is away is asked again after so many milliseconds. */
const AGAIN_MS = 1000;

/** An answer of the person's, and how to tell moth what became of it. It must be told, once. */
export interface Arrived extends Answer {
  /** The harness has it. */
  taken(): void;
  /** It could not be given. @param problem a sentence for the person */
  refused(problem: string): void;
  /** Resolves once moth has heard of it, or cannot be told: for a process that ends then. */
  told: Promise<void>;
}

export interface AnswerOptions {
  env?: Env;
  /** Ends the waiting: to be aborted as soon as the wait is over in any other way. */
  signal: AbortSignal;
  /** Called before a moth that was away is asked again: one that was started anew knows nothing of the wait. */
  again?: () => void;
}

/**
 * Waits for the person's answer to one wait, for an adapter that stands at its harness's door. Asks nothing while answers are off.
 * Costs one open connection for as long as the wait lasts, and does not keep the process alive.
 * @returns undefined when the wait is over, was ended, or answers are off. Never throws.
 */
export async function awaitAnswer(
  of: { source: string; session?: string; wait: string },
  { env = process.env, signal, again }: AnswerOptions,
): Promise<Arrived | undefined> {
  const query = new URLSearchParams({
    source: of.source,
    session: cleanId(of.session ?? ""),
    wait: cleanId(of.wait),
    for: String(POLL_SECONDS),
  });
  while (!signal.aborted && answersOn(env)) {
    const began = Date.now();
    // oxlint-disable-next-line no-await-in-loop -- each poll follows the last
    const asked = await ask(`/api/answers?${query.toString()}`, undefined, { timeoutMs: (POLL_SECONDS + 5) * 1000, env, signal });
    if (signal.aborted) return undefined;
    const answer = asked?.status === 200 ? (asked.body as FetchedAnswer) : undefined;
    if (answer?.over) return undefined;
    if (typeof answer?.id === "string") return arrived(answer.id, answer, env);
    // One that is answered with nothing before its time was cut off by a moth that stops.
    if (answer && Date.now() - began > POLL_SECONDS * 900) continue;
    // oxlint-disable-next-line no-await-in-loop -- moth may be about to start again
    await pause(AGAIN_MS, signal, { keepsAlive: false });
    if (!signal.aborted) again?.();
  }
  return undefined;
}

function arrived(id: string, { choice, text }: FetchedAnswer, env: Env): Arrived {
  let heard: (() => void) | undefined;
  const told = new Promise<void>((resolve) => (heard = resolve));
  const tell = (report: TakenReport): void => void ask("/api/taken", report, { timeoutMs: 2000, env }).then(() => heard?.());
  return {
    told,
    ...(typeof choice === "string" && { choice }),
    ...(typeof text === "string" && { text }),
    taken: () => tell({ id, taken: true }),
    refused: (problem) => tell({ id, taken: false, problem }),
  };
}
