import { spawn } from "node:child_process";
import { join } from "node:path";
import { type Harness, harnesses } from "@moth-companion/harnesses";
import { hooked } from "../../e2e/contract/rigs/index.ts";
import { type Figure, figure, quantile, type Run } from "./figure.ts";
import type { Effort } from "./groups.ts";
import { begin } from "./leavings.ts";
import { findPosters } from "./posters.ts";
import { type Env, root, type Running, startMoth, timeOf, withEmptyProgram } from "./processes.ts";

const TURNS = 12;
const hookProgram: string = join(root, "packages/hook/dist/moth-hook.cjs");

/** The harnesses whose hooks are commands. */
export const hookedHarnesses: readonly Harness[] = harnesses.filter((harness) => harness.readPayload !== undefined);

/**
 * The hook process of each harness whose hooks are commands, at the end of a turn that it has a reply of, against a Node process that
 * is given the same and does nothing: an empty ES module, which never looks at its stdin and ends by itself. `bench/README.md` tells
 * what that compares.
 */
export async function benchHook({ runs, at }: Effort): Promise<Figure[]> {
  const moth = await startMoth();
  try {
    return await withEmptyProgram(async (empty) => {
      const figures: Figure[] = [];
      for (const harness of hookedHarnesses) {
        at(harness.id);
        figures.push(await measure(harness, empty, moth, runs));
      }
      at("beside what one might write instead");
      return [...figures, ...(await besidePosters(hookedHarnesses[0]!, moth, runs))];
    });
  } finally {
    await moth.stop();
  }
}

async function measure(harness: Harness, empty: string, moth: Running, count: number): Promise<Figure> {
  const caller = createCaller(harness, moth);
  try {
    const runs: Run[] = [];
    for (let run = 0; run < count; run++) {
      const [hook, bare]: [number[], number[]] = [[], []];
      for (let n = 0; n < TURNS; n++) {
        const { args, input } = await caller.turn("The tests pass. **Two files** changed.");
        // In turns, so that a noisy moment hits both.
        bare.push(await timeOf(process.execPath, [empty], caller.env, { input }));
        hook.push(await timeOf(process.execPath, args, caller.env, { input }));
      }
      runs.push({ value: quantile(hook, 0.1), baseline: quantile(bare, 0.1) });
    }
    const [what, atMost] = caller.hasHelper
      ? (["hook process that starts another", 1.35] as const)
      : (["hook process", 1.25] as const);
    return figure(`${what}: ${harness.id}`, "ms", runs, { of: "ratio", atMost });
  } finally {
    caller.end();
  }
}

/** Against what one might write instead, in a few lines. */
async function besidePosters(harness: Harness, moth: Running, count: number): Promise<Figure[]> {
  const caller = createCaller(harness, moth);
  try {
    const figures: Figure[] = [];
    for (const { name, program, args, goal } of findPosters(moth)) {
      const runs: Run[] = [];
      for (let run = 0; run < count; run++) {
        const [hook, poster]: [number[], number[]] = [[], []];
        for (let n = 0; n < TURNS; n++) {
          const { args: own, input } = await caller.turn("The tests pass.");
          const report = JSON.stringify({ source: "bench", session: "poster", text: `The tests pass. (${name} ${run} ${n})` });
          poster.push(await timeOf(program, args, moth.env, { input: report }));
          hook.push(await timeOf(process.execPath, own, caller.env, { input }));
        }
        runs.push({ value: quantile(hook, 0.1), baseline: quantile(poster, 0.1) });
      }
      figures.push(figure(`hook process: ${harness.id}, beside ${name}`, "ms", runs, goal));
    }
    return figures;
  } finally {
    caller.end();
  }
}

/** One that starts hooks as a harness does. */
export interface Caller {
  env: Env;
  /** Whether its hook starts a process that outlives it. */
  hasHelper: boolean;
  /** Tells the hook all of a new turn but its end, and says what the last hook process is given. */
  turn(says: string): Promise<{ args: string[]; input: string }>;
  end(): void;
}

export function createCaller({ id, program: name }: Harness, moth: Running): Caller {
  const told = hooked.find(({ source }) => source === id);
  if (!told) throw new Error(`nobody says what ${id} tells its hooks: e2e/contract/rigs/index.ts`);
  // Stands for the harness, where a hook looks whose child it is.
  const caller = spawn(process.execPath, ["-e", "setInterval(() => {}, 60_000)"], { argv0: name, stdio: "ignore" });
  // As the launcher makes it.
  const its = { MOTH_HOME: join(moth.home, ".moth"), MOTH_CALLER: String(caller.pid) };
  const env: Env = { ...moth.env, ...its, ...told.env?.(moth.home) };
  let turns = 0;
  return {
    env,
    hasHelper: told.helper ?? false,
    async turn(says) {
      const events = told.tell({ is: "turn", says }, turns++, moth.home).map(({ payload, args = [], before }) => ({
        args: [hookProgram, id, ...args],
        input: JSON.stringify(payload),
        before,
      }));
      const last = events.pop();
      if (!last) throw new Error(`${id} tells its hooks nothing of a turn`);
      for (const { args, input, before } of events) {
        before?.();
        await timeOf(process.execPath, args, env, { input });
      }
      last.before?.();
      return last;
    },
    end: begin(() => caller.kill()),
  };
}
