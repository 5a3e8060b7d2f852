import { pause } from "@moth-companion/core/pause";
import { type Figure, figure } from "./figure.ts";
import type { Effort } from "./groups.ts";
import { type Running, startBare, startMoth } from "./processes.ts";
import { ask, createAgent, inSessions, listen, post, REPLY, untilHeard } from "./traffic.ts";
import { ownMegabytes, processorMs } from "./usage.ts";

const WATCHED_MS = 5000;
const OPEN = 50;

interface State {
  name: string;
  /** Megabytes at most. */
  atMost: number;
  /** Brings a moth there. @returns the function that ends it */
  reach(moth: Running): Promise<(() => void) | undefined>;
}

const STATES: readonly State[] = [
  { name: "at rest", atMost: 60, reach: () => Promise.resolve(undefined) },
  { name: "with 100 sessions and 10,000 events", atMost: 90, reach: (moth) => sessions(moth, 100, 2500).then(() => undefined) },
  { name: `with ${OPEN} streams open`, atMost: 60, reach: openStreams },
  { name: `with ${OPEN} order listeners open`, atMost: 60, reach: openListeners },
  // Twenty sessions with a turn a minute.
  { name: "after an hour of 20 sessions", atMost: 90, reach: (moth) => sessions(moth, 20, 1200).then(() => undefined) },
];

/** Memory and processor of a moth that nobody asks anything, in each of the states it may rest in. */
export async function benchResources({ runs, short, at }: Effort): Promise<Figure[]> {
  const used = new Map(STATES.map((state) => [state, { memory: [] as number[], processor: [] as number[] }]));
  const bares: number[] = [];
  for (let run = 0; run < Math.min(runs, 3); run++) {
    const bare = await startBare();
    const moths: { moth: Running; state: State; leave: (() => void) | undefined }[] = [];
    try {
      for (const state of STATES) {
        at(`${state.name}, ${run + 1} of ${Math.min(runs, 3)}`);
        const moth = await startMoth({ MOTH_ANSWERS: "on" });
        moths.push({ moth, state, leave: undefined });
        moths.at(-1)!.leave = await state.reach(moth);
      }
      // The start's garbage goes, and what was put off is done.
      await pause(short ? 3000 : 8000);
      const before = moths.map(({ moth }) => processorMs(moth.pid));
      await pause(WATCHED_MS);
      bares.push(ownMegabytes(bare.pid));
      for (const [at, { moth, state }] of moths.entries()) {
        const [had, has] = [before[at], processorMs(moth.pid)];
        used.get(state)!.memory.push(ownMegabytes(moth.pid));
        if (had !== undefined && has !== undefined) used.get(state)!.processor.push((has - had) / (WATCHED_MS / 1000));
      }
    } finally {
      for (const { moth, leave } of moths) {
        leave?.();
        await moth.stop();
      }
      await bare.stop();
    }
  }
  return [
    ...[...used].map(([{ name, atMost }, { memory }]) =>
      figure(
        `memory of its own ${name}`,
        "MB",
        memory.map((value, run) => ({ value, baseline: bares[run]! })),
        { of: "value", atMost },
      ),
    ),
    ...[...used]
      .filter(([, { processor }]) => processor.length > 0)
      .map(([{ name }, { processor }]) =>
        figure(
          `processor ${name}`,
          "ms/s",
          processor.map((value) => ({ value })),
          { of: "value", atMost: 10 },
        ),
      ),
  ];
}

/** So many turns, four events each: begun, done, the card, and moth's line or that there is none. */
async function sessions(moth: Running, count: number, turns: number): Promise<void> {
  await inSessions(count, turns, async (n, agent) => {
    const from = { source: "bench", session: `s${n % count}`, label: `folder-${n % count}`, pid: process.pid };
    await post(moth, agent, "/api/state", { ...from, state: "working" });
    await post(moth, agent, "/api/agent", { ...from, text: `${REPLY.repeat((n % 4) + 1)} (${n})`, turn: `t${n}` });
  });
  const agent = createAgent(1);
  await untilHeard(moth, agent, turns * 4).finally(() => agent.destroy());
}

async function openStreams(moth: Running): Promise<() => void> {
  const open = await Promise.all(Array.from({ length: OPEN }, () => listen(moth, () => {})));
  return () => open.forEach((hangUp) => hangUp());
}

async function openListeners(moth: Running): Promise<() => void> {
  const agent = createAgent(OPEN);
  for (let n = 0; n < OPEN; n++) await post(moth, agent, "/api/state", { source: "bench", session: `o${n}`, state: "idle" });
  // They end with their connections, below.
  for (let n = 0; n < OPEN; n++) ask(moth, agent, `/api/orders?source=bench&session=o${n}&takes=prompt&for=60`).catch(() => {});
  return () => agent.destroy();
}
