/** A hook that waits for the person's answer and hands it to its harness. Loaded only while answers are on and something is asked. */
import { awaitAnswer, type Arrived } from "@moth-companion/core/answers";
import { awayOn } from "@moth-companion/core/config";
import type { Env } from "@moth-companion/core/paths";
import { pause } from "@moth-companion/core/pause";
import type { StateReport, Wait } from "@moth-companion/core/protocol";
import { sendState } from "@moth-companion/core/report";
import type { Ask } from "@moth-companion/harnesses/payloads";

const LOOK_EVERY_MS = 1000;
/** The same while the harness shows no dialog for as long. */
const HELD_LOOK_EVERY_MS = 400;
/** A minute before the harness would end the hook, which would look as if its person had stopped the turn. */
const HELD_MS = (24 * 60 - 1) * 60 * 1000;
/** A harness may note up to a fifth of a second later that it asks no longer. */
const SETTLE_MS = 250;

interface Asker {
  /** The process that started the hook. */
  caller: number | undefined;
  env: Env;
  /** The harness shows its dialog once the hook has ended: the hook goes with the person's coming back, and with moth. */
  isHeld: boolean;
}

/**
 * Ends when the answer is given, when the wait is over in any other way, or with whoever asks.
 * @param body the report that told of the wait
 * @returns whether the harness asks in its window from now on
 */
export async function askPerson(ask: Ask, body: StateReport & { wait: Wait }, { caller, env, isHeld }: Asker): Promise<boolean> {
  const { source, session = "", wait } = body;
  const over = new AbortController();
  const parent = process.ppid;
  const began = Date.now();
  let isStopped = false;
  const isOver = (): boolean => isStopped || process.ppid !== parent || [caller, body.pid].some(hasEnded) || ask.isOver();
  let looks = 0;
  let isGiven = false;
  // Also what keeps this process: nothing of the asking does. Seen twice, since between two dialogs none stands for a moment.
  const look = (): void => {
    looks = isOver() ? looks + 1 : 0;
    if (looks > 1 || (isHeld && (!awayOn(env) || Date.now() - began > HELD_MS))) over.abort();
  };
  const timer = setInterval(look, isHeld ? HELD_LOOK_EVERY_MS : LOOK_EVERY_MS);
  const again = (): void => (isHeld ? over.abort() : void sendState(body, { env }));
  const { wait: _, ...whose } = body;
  const end = (): Promise<boolean> => sendState({ ...whose, state: "working", ended: wait.id }, { env });
  // The turn was stopped in the window: a harness that ends its hooks so may tell of it by nothing else (Escape, before its dialog is there).
  const stop = (): void => {
    isStopped = true;
    const stopped = sendState({ ...whose, seq: Date.now(), state: "idle", outcome: "interrupted" }, { env });
    void stopped.then(() => over.abort());
  };
  if (isHeld) process.once("SIGTERM", stop);
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- an answer that cannot be given leaves room for another
    const answer = await awaitAnswer({ source, session, wait: wait.id }, { env, signal: over.signal, again });
    if (!answer) break;
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (!(await give(answer, ask, isOver))) continue;
    // The harness tells of no end when a tool was denied. As old as the wait itself: when the turn was stopped in that moment, moth has
    // heard so by now, and it stays true.
    // oxlint-disable-next-line no-await-in-loop -- the last thing it does
    await end();
    isGiven = true;
    break;
  }
  clearInterval(timer);
  if (isGiven || !isHeld || isOver()) return false;
  await end();
  return true;
}

/** Returns whether the harness has it. */
async function give(answer: Arrived, ask: Ask, isOver: () => boolean): Promise<boolean> {
  // What was answered in the window right before is not answered again, and nobody is told that it was.
  if (!isOver()) await pause(SETTLE_MS, undefined, { keepsAlive: true });
  const decision = isOver() ? { problem: "It no longer asks this." } : ask.decide(answer);
  const isGiven = "print" in decision && (await print(decision.print));
  if (isGiven) answer.taken();
  else answer.refused("problem" in decision ? decision.problem : "It is gone.");
  await answer.told;
  return isGiven;
}

function print(text: string): Promise<boolean> {
  return new Promise((resolve) => {
    process.stdout.on("error", () => resolve(false));
    process.stdout.write(text, (error) => resolve(!error));
  });
}

function hasEnded(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
