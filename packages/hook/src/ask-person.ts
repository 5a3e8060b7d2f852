/** A hook that waits for the person's answer and hands it to its harness. Loaded only while answers are on and something is asked. */
import { awaitAnswer, type Arrived } from "@moth-companion/core/answers";
import type { Env } from "@moth-companion/core/paths";
import { pause } from "@moth-companion/core/pause";
import type { StateReport, Wait } from "@moth-companion/core/protocol";
import { sendState } from "@moth-companion/core/report";
import type { Ask } from "@moth-companion/harnesses/payloads";

const LOOK_EVERY_MS = 1000;
/** A harness may note up to a fifth of a second later that it asks no longer. */
const SETTLE_MS = 250;

/**
 * Ends when the answer is given, when the wait is over in any other way, or with whoever asks.
 * @param body the report that told of the wait; @param caller the process that started the hook
 */
export async function askPerson(
  ask: Ask,
  body: StateReport & { wait: Wait },
  caller: number | undefined,
  env: Env,
): Promise<void> {
  const { source, session = "", wait } = body;
  const over = new AbortController();
  const parent = process.ppid;
  const isOver = (): boolean => process.ppid !== parent || [caller, body.pid].some(hasEnded) || ask.isOver();
  let looks = 0;
  // Also what keeps this process: nothing of the asking does. Seen twice, since between two dialogs none stands for a moment.
  const timer = setInterval(() => {
    looks = isOver() ? looks + 1 : 0;
    if (looks > 1) over.abort();
  }, LOOK_EVERY_MS);
  const again = (): void => void sendState(body, { env });
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- an answer that cannot be given leaves room for another
    const answer = await awaitAnswer({ source, session, wait: wait.id }, { env, signal: over.signal, again });
    if (!answer) break;
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (!(await give(answer, ask, isOver))) continue;
    const { wait: _, ...whose } = body;
    // The harness tells of no end when a tool was denied. As old as the wait itself: when the turn was stopped in that moment, moth has
    // heard so by now, and it stays true.
    // oxlint-disable-next-line no-await-in-loop -- the last thing it does
    await sendState({ ...whose, state: "working", ended: wait.id }, { env });
    break;
  }
  clearInterval(timer);
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
