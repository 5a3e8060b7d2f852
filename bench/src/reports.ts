import { type Figure, figure, type Run } from "./figure.ts";
import type { Effort } from "./groups.ts";
import { type Running, startBare, startMoth } from "./processes.ts";
import { createAgent, post, REPLY } from "./traffic.ts";

const ROUND_MS = 1000;
const SESSIONS = 20;

interface Load {
  name: string;
  clients: number;
  mix: "session" | "turns";
  /** What part of the bare server's reports. */
  atLeast: number;
}

const LOADS: readonly Load[] = [
  { name: "as sessions send them, 8 clients", clients: 8, mix: "session", atLeast: 0.7 },
  // A turn is read sentence by sentence, a state is not: nothing but turns is the worst there is.
  { name: "turns alone, 1 client", clients: 1, mix: "turns", atLeast: 0.5 },
  { name: "turns alone, 8 clients", clients: 8, mix: "turns", atLeast: 0.5 },
  { name: "turns alone, 64 clients", clients: 64, mix: "turns", atLeast: 0.5 },
];

/** Reports a second, beside a bare server that reads as much and keeps nothing. */
export async function benchReports({ runs, at }: Effort): Promise<Figure[]> {
  const moth = await startMoth();
  const bare = await startBare();
  const rounds = new Map<Load, Run[]>(LOADS.map((load) => [load, []]));
  try {
    // Before the rounds that count: both have compiled what is hot, as after a day's work.
    for (const server of [bare, moth]) await rate(server, LOADS[0]!);
    for (let run = 0; run < runs; run++)
      for (const [load, all] of rounds) {
        at(`${load.name}, ${run + 1} of ${runs}`);
        const baseline = await rate(bare, load);
        all.push({ value: await rate(moth, load), baseline });
      }
  } finally {
    await moth.stop();
    await bare.stop();
  }
  return [...rounds].map(([{ name, atLeast }, all]) => figure(`reports a second, ${name}`, "1/s", all, { of: "ratio", atLeast }));
}

/** `session`: each turn's report after the state report of its prompt, as adapters send them. `turns`: turn reports alone. */
async function rate(server: Running, { clients, mix }: Load): Promise<number> {
  const agent = createAgent(clients);
  const started = performance.now();
  const until = started + ROUND_MS;
  let count = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < until) {
        const n = count++;
        const from = { source: "bench", session: `s${n % SESSIONS}`, label: "bench" };
        if (mix === "session") {
          await post(server, agent, "/api/state", { ...from, state: "working" });
          count++;
        }
        await post(server, agent, "/api/agent", { ...from, text: `${REPLY} (${n})` });
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  return count / seconds;
}
