import { spawn } from "node:child_process";
import { once } from "node:events";
import { pause } from "@moth-companion/core/pause";
import { type Figure, figure } from "./figure.ts";
import type { Effort } from "./groups.ts";
import { createCaller, hookedHarnesses } from "./hook.ts";
import { begin } from "./leavings.ts";
import { type Env, startMoth, withEmptyProgram } from "./processes.ts";
import { listen } from "./traffic.ts";

const SECONDS = 10;
/**
 * How many run at once: a machine with two cores starts some sixty Nodes a second, not a hundred. A hook gives up 0.9 s after its start rather
 * than hold its harness, so on a machine that is too busy reports are lost. The first number is judged, the second tells how that begins.
 */
const JUDGED = 8;
const CROWDED = 24;
/** How long after the last hook a turn may still show: moth waits 4 seconds for other sessions to finish too. */
const SHOWN_MS = 15_000;

/** A thousand hook processes in ten seconds, each with a turn of a session of its own: how many of them a display hears of. */
export async function benchBurst({ short, at }: Effort): Promise<Figure[]> {
  const count = short ? 200 : 1000;
  const moth = await startMoth();
  const [harness] = hookedHarnesses;
  const caller = createCaller(harness!, moth);
  const { args, input } = await caller.turn("Burst.");
  const payload = JSON.parse(input) as object;
  const inputsOf = (name: string): string[] =>
    Array.from({ length: count }, (_, n) => {
      const its = { session_id: `${name}-${n}`, prompt_id: `${name}-turn-${n}`, last_assistant_message: `${name} ${n} is done.` };
      return JSON.stringify({ ...payload, ...its });
    });
  const arrived = new Set<string>();
  const hangUp = await listen(moth, (event) => {
    if (event.kind === "card") arrived.add(event.text);
  });
  const arrivedOf = (name: string): number => [...arrived].filter((text) => text.startsWith(`${name} `)).length;
  try {
    const bare = await withEmptyProgram((empty) => burst([empty], caller.env, inputsOf("Bare"), JUDGED));
    at(`${JUDGED} at once`);
    const hook = await burst(args, caller.env, inputsOf("Judged"), JUDGED);
    at(`${CROWDED} at once`);
    await burst(args, caller.env, inputsOf("Crowded"), CROWDED);
    const all = (): boolean => arrivedOf("Judged") === count && arrivedOf("Crowded") === count;
    for (const ends = performance.now() + SHOWN_MS; !all() && performance.now() < ends;) await pause(50);
    const name = (atOnce: number): string => `turns that arrive of ${count} hook processes, ${atOnce} at once`;
    return [
      figure(name(JUDGED), "turns", [{ value: arrivedOf("Judged") }], { of: "value", atLeast: count }),
      figure(name(CROWDED), "turns", [{ value: arrivedOf("Crowded") }]),
      // Told with no goal: where the machine can start fewer Nodes, both take longer than asked.
      figure(`${count} hook processes, wanted in ${(SECONDS * count) / 1000} s`, "s", [
        { value: hook / 1000, baseline: bare / 1000 },
      ]),
    ];
  } finally {
    hangUp();
    caller.end();
    await moth.stop();
  }
}

/** Starts one process a hundredth of a second, as far as the machine keeps up. @returns milliseconds until the last one's end */
async function burst(args: readonly string[], env: Env, inputs: readonly string[], atOnce: number): Promise<number> {
  const started = performance.now();
  const running = new Set<Promise<unknown>>();
  for (const [at, input] of inputs.entries()) {
    const early = started + at * SECONDS - performance.now();
    if (early > 0) await pause(early);
    while (running.size >= atOnce) await Promise.race(running);
    const child = spawn(process.execPath, args, { env, stdio: ["pipe", "ignore", "ignore"] });
    // A program that never looks at its input may end before it has got it.
    child.stdin.on("error", () => {}).end(input);
    const kill = begin(() => child.kill("SIGKILL"));
    const ended: Promise<unknown> = once(child, "exit").then(() => {
      kill();
      return running.delete(ended);
    });
    running.add(ended);
  }
  await Promise.all(running);
  return performance.now() - started;
}
