import { type Figure, figure, quantile, type Run } from "./figure.ts";
import type { Effort } from "./groups.ts";
import { mothProgram, startBare, startMoth, timeOf, withEmptyProgram } from "./processes.ts";
import { createAgent, post } from "./traffic.ts";

const TIMES = 8;

const COMMANDS = [
  { args: ["status", "--line"], prints: "1 works\n", atMost: 2 },
  { args: ["--version"], prints: "", atMost: 1.75 },
  { args: ["ps"], prints: "", atMost: 2.5 },
] as const;

/** Commands with a session that works, against a Node process that does nothing. */
export async function benchCommands({ runs, at }: Effort): Promise<Figure[]> {
  const moth = await startMoth();
  const agent = createAgent(1);
  try {
    await post(moth, agent, "/api/state", { source: "bench", session: "s1", state: "working" });
    return await withEmptyProgram(async (empty) => {
      const all = COMMANDS.map((): Run[] => []);
      for (let run = 0; run < runs; run++) {
        at(`${run + 1} of ${runs}`);
        for (const [at, { args, prints }] of COMMANDS.entries()) {
          const [command, bare]: [number[], number[]] = [[], []];
          // In turns, so that a noisy moment hits both.
          for (let n = 0; n < TIMES; n++) {
            bare.push(await timeOf(process.execPath, [empty], moth.env));
            command.push(await timeOf(process.execPath, [mothProgram, ...args], moth.env, { prints }));
          }
          all[at]!.push({ value: quantile(command, 0.1), baseline: quantile(bare, 0.1) });
        }
      }
      return COMMANDS.map(({ args, atMost }, at) => figure(`moth ${args.join(" ")}`, "ms", all[at]!, { of: "ratio", atMost }));
    });
  } finally {
    agent.destroy();
    await moth.stop();
  }
}

/** From the start of `moth up` to its first answer, against a bare server's. */
export async function benchStart({ runs }: Effort): Promise<Figure[]> {
  const all: Run[] = [];
  for (let run = 0; run < runs + 2; run++) {
    const baseline = await timeToAnswer(startBare);
    all.push({ value: await timeToAnswer(startMoth), baseline });
  }
  return [figure("moth up, to its first answer", "ms", all, { of: "ratio", atMost: 4 })];
}

async function timeToAnswer(start: typeof startBare): Promise<number> {
  const started = performance.now();
  const server = await start();
  const took = performance.now() - started;
  await server.stop();
  return took;
}
