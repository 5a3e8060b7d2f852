import type { Agent } from "node:http";
import { type Figure, figure, quantile, type Run } from "./figure.ts";
import type { Effort } from "./groups.ts";
import { type Running, startMoth } from "./processes.ts";
import { ask, createAgent, eventsOf, inSessions, post, untilHeard } from "./traffic.ts";

/** Events heard. The log keeps the newest 2,000 of them. */
const LENGTHS = [10, 1000, 10_000] as const;
const TIMES = 200;

/** What a poll and a report cost as the log grows: no more than at its start. */
export async function benchLengths({ runs, at }: Effort): Promise<Figure[]> {
  const moths = new Map<number, Running>();
  const agent = createAgent(1);
  try {
    for (const length of LENGTHS) moths.set(length, await startMoth());
    const costs = { poll: new Map<number, number[]>(), post: new Map<number, number[]>() };
    for (let run = 0; run < runs; run++) {
      at(`${run + 1} of ${runs}`);
      for (const [length, moth] of moths) await fill(moth, agent, length);
      const took = await inTurns(moths, agent);
      for (const what of ["poll", "post"] as const)
        for (const [length, times] of took[what])
          costs[what].set(length, [...(costs[what].get(length) ?? []), quantile(times, 0.5)]);
    }
    return (["poll", "post"] as const).flatMap((what) => {
      const [shortest = [], ...longer] = LENGTHS.map((length) => costs[what].get(length) ?? []);
      return longer.map((values, at) => {
        const all = values.map((value, run): Run => ({ value, baseline: shortest[run] ?? Number.NaN }));
        const name = `${what} after ${LENGTHS[at + 1]} events, beside after ${LENGTHS[0]}`;
        return figure(name, "ms", all, { of: "ratio", atMost: 1.3 });
      });
    });
  } finally {
    agent.destroy();
    for (const moth of moths.values()) await moth.stop();
  }
}

/** A new log, and as many events. */
async function fill(moth: Running, agent: Agent, length: number): Promise<void> {
  await post(moth, agent, "/api/reset", { everything: true });
  const sessions = Math.min(8, length);
  await inSessions(sessions, length, (n, own) =>
    post(moth, own, "/api/state", toggle(`f${n % sessions}`, Math.floor(n / sessions))),
  );
  await untilHeard(moth, agent, length);
}

function toggle(session: string, n: number): object {
  return { source: "bench", session, state: n % 2 === 0 ? "working" : "idle" };
}

/** One request to each in turn, so that a noisy moment hits all. */
async function inTurns(
  moths: ReadonlyMap<number, Running>,
  agent: Agent,
): Promise<Record<"poll" | "post", Map<number, number[]>>> {
  const took = { poll: new Map<number, number[]>(), post: new Map<number, number[]>() };
  const time = async (what: "poll" | "post", length: number, act: () => Promise<unknown>): Promise<void> => {
    const started = performance.now();
    await act();
    took[what].set(length, [...(took[what].get(length) ?? []), performance.now() - started]);
  };
  const ends = new Map<number, number>();
  for (const [length, moth] of moths) {
    ends.set(length, await eventsOf(moth, agent));
  }
  for (let n = 0; n < TIMES; n++) {
    for (const [length, moth] of moths)
      await time("poll", length, () => ask(moth, agent, `/api/log?since=${ends.get(length)! - 1}`));
  }
  // A log of ten must not grow long by the measuring: few, and after the polls.
  for (let n = 0; n < TIMES / 4; n++)
    for (const [length, moth] of moths) await time("post", length, () => post(moth, agent, "/api/state", toggle("measured", n)));
  return took;
}
