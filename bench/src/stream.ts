import type { Agent } from "node:http";
import { pause } from "@moth-companion/core/pause";
import { type Figure, figure, quantile } from "./figure.ts";
import type { Effort } from "./groups.ts";
import { type Running, startBare, startMoth } from "./processes.ts";
import { createAgent, listen, post } from "./traffic.ts";

const SESSIONS = 100;
/** Reports a second, and how many of them a run sends. */
const PACES = [
  { rate: 1, reports: 8 },
  { rate: 100, reports: 300 },
  { rate: 500, reports: 1500 },
] as const;

/**
 * From the moment a state report is sent to the moment its event is read from an open stream, at a given pace whoever is behind;
 * beside the time that a bare server takes to answer at that pace.
 */
export async function benchStream({ runs, at }: Effort): Promise<Figure[]> {
  const moth = await startMoth();
  const bare = await startBare();
  const agent = createAgent(64);
  try {
    const figures: Figure[] = [];
    for (const { rate, reports } of PACES) {
      const all: { shown: number[]; answered: number[] }[] = [];
      for (let run = 0; run < Math.min(runs, 3); run++) {
        at(`${rate} reports a second, ${run + 1} of ${Math.min(runs, 3)}`);
        const answered = await paced(rate, reports, (n) => answer(bare, agent, n));
        all.push({ answered, shown: await shownTimes(moth, agent, rate, reports) });
      }
      for (const [name, part, atMost] of [["median", 0.5, 5] as const, ["99 of 100", 0.99, 50] as const])
        figures.push(
          figure(
            `report to stream at ${rate}/s, ${name}`,
            "ms",
            all.map(({ shown, answered }) => ({ value: quantile(shown, part), baseline: quantile(answered, part) })),
            { of: "value", atMost },
          ),
        );
    }
    return figures;
  } finally {
    agent.destroy();
    await moth.stop();
    await bare.stop();
  }
}

/** A session's states alternate, so that each report is news. */
function report(n: number): { source: string; session: string; state: "working" | "idle" } {
  return { source: "bench", session: `s${n % SESSIONS}`, state: Math.floor(n / SESSIONS) % 2 === 0 ? "working" : "idle" };
}

async function answer(server: Running, agent: Agent, n: number): Promise<void> {
  await post(server, agent, "/api/state", report(n));
}

async function shownTimes(moth: Running, agent: Agent, rate: number, reports: number): Promise<number[]> {
  await post(moth, agent, "/api/reset", { everything: true });
  /** Who waits for the events of a session, the first to come first. */
  const waiting = new Map<string, (() => void)[]>();
  const hangUp = await listen(moth, (event) => {
    if (event.kind === "state") waiting.get(event.session)?.shift()?.();
  });
  try {
    return await paced(rate, reports, async (n) => {
      const { session } = report(n);
      const seen = new Promise<void>((resolve) => waiting.set(session, [...(waiting.get(session) ?? []), resolve]));
      await Promise.all([answer(moth, agent, n), seen]);
    });
  } finally {
    hangUp();
  }
}

/** Begins `act` at a pace, and waits for none. @returns the milliseconds each took */
async function paced(rate: number, count: number, act: (n: number) => Promise<void>): Promise<number[]> {
  const begun = performance.now();
  const all: Promise<number>[] = [];
  for (let n = 0; n < count; n++) {
    const early = begun + (n * 1000) / rate - performance.now();
    if (early > 0) await pause(early);
    const started = performance.now();
    all.push(act(n).then(() => performance.now() - started));
  }
  return await Promise.all(all);
}
