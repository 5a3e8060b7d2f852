import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Figure, figure, type Run } from "./figure.ts";
import type { Effort } from "./groups.ts";
import { createCaller, hookedHarnesses } from "./hook.ts";
import { type Env, pause, startMoth, withEmptyProgram } from "./processes.ts";
import { listen } from "./traffic.ts";

const SECONDS = 10;
/** More would measure how a machine runs out of memory: a machine with two cores starts some sixty Nodes a second, not a hundred. */
const AT_ONCE = 24;
/** How long after the last hook a turn may still show: moth waits 4 seconds for other sessions to finish too. */
const SHOWN_MS = 15_000;

/** A thousand hook processes in ten seconds, each with a turn of a session of its own: how many of them a display hears of. */
export async function benchBurst({ short }: Effort): Promise<Figure[]> {
  const count = short ? 200 : 1000;
  const moth = await startMoth();
  const [harness] = hookedHarnesses;
  const caller = createCaller(harness!, moth);
  const { args, input } = caller.turn("Burst.");
  const payload = JSON.parse(input) as object;
  const inputs = Array.from({ length: count }, (_, n) => {
    const says = `Burst ${n} is done.`;
    return JSON.stringify({ ...payload, session_id: `burst-${n}`, prompt_id: `turn-${n}`, last_assistant_message: says });
  });
  const arrived = new Set<string>();
  const hangUp = await listen(moth, (event) => {
    if (event.kind === "card" && /^Burst \d+ is done\.$/.test(event.text)) arrived.add(event.text);
  });
  try {
    const bare = await withEmptyProgram((empty) => burst([empty], caller.env, inputs));
    const hook = await burst(args, caller.env, inputs);
    for (const ends = performance.now() + SHOWN_MS; arrived.size < count && performance.now() < ends;) await pause(50);
    const seconds: Run = { value: hook / 1000, baseline: bare / 1000 };
    return [
      figure(`turns that arrive of ${count} hook processes`, "turns", [{ value: arrived.size }], { of: "value", atLeast: count }),
      // Told with no goal: where the machine can start fewer Nodes, both take longer than asked.
      figure(`${count} hook processes, wanted in ${(SECONDS * count) / 1000} s`, "s", [seconds]),
    ];
  } finally {
    hangUp();
    caller.end();
    await moth.stop();
  }
}

/** Starts one process a hundredth of a second, as far as the machine keeps up. @returns milliseconds until the last one's end */
async function burst(args: readonly string[], env: Env, inputs: readonly string[]): Promise<number> {
  const started = performance.now();
  const running = new Set<Promise<unknown>>();
  for (const [at, input] of inputs.entries()) {
    const early = started + at * SECONDS - performance.now();
    if (early > 0) await pause(early);
    while (running.size >= AT_ONCE) await Promise.race(running);
    const child = spawn(process.execPath, args, { env, stdio: ["pipe", "ignore", "ignore"] });
    // A program that never looks at its input may end before it has got it.
    child.stdin.on("error", () => {}).end(input);
    const ended: Promise<unknown> = once(child, "exit").then(() => running.delete(ended));
    running.add(ended);
  }
  await Promise.all(running);
  return performance.now() - started;
}
