import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { end, model, reply, start, tool } from "../../packages/hermes-plugin/test/play.ts";
import { findPython } from "../../packages/hermes-plugin/test/python.ts";
import { type Figure, figure, quantile } from "../../bench/src/figure.ts";
import type { Effort } from "../../bench/src/groups.ts";
import { beginFolder } from "../../bench/src/leavings.ts";
import { type Env, root, type Running, startMoth } from "../../bench/src/processes.ts";

/** An adapter that lives in its harness's process: what of it is built, and events as the real harness gave them. */
interface Adapter {
  name: string;
  folder: string;
  file: string;
  recording: string;
  task?: object;
  env?: Env;
}

const ADAPTERS: readonly Adapter[] = [
  { name: "ext-pi in Pi", folder: "ext-pi", file: "moth.js", recording: "pi-1.6.0-terminal" },
  { name: "ext-pi in omp", folder: "ext-pi", file: "moth.js", recording: "omp-18.2.3-terminal", task: { omp: true } },
  { name: "plugin-opencode in OpenCode", folder: "plugin-opencode", file: "moth.js", recording: "opencode-1.18.33-terminal" },
  {
    name: "plugin-opencode in Kilo",
    folder: "plugin-opencode",
    file: "moth.js",
    recording: "kilo-7.7.7-terminal",
    env: { KILO: "1" },
  },
  { name: "dsh-plugin in dsh", folder: "dsh-plugin", file: "moth.mjs", recording: "dsh-0.1.0-rc.8-web" },
];
/** Turns of the one whose recording is a list of calls. */
const HERMES_TURNS = 40;

/**
 * How long an adapter in a harness's process keeps the harness from going on, per event of a real session, with a moth that listens. The
 * session is played again and again in one process, as a harness lives for many turns; the first event's start is among the events.
 */
export async function benchAdapters({ runs, at }: Effort): Promise<Figure[]> {
  const moth = await startMoth();
  try {
    const python = findPython();
    const all: { name: string; act: (run: number) => number[] }[] = [
      ...ADAPTERS.map((adapter) => ({ name: adapter.name, act: () => play(adapter, moth) })),
      ...(python.found ? [{ name: "hermes-plugin in Hermes", act: (run: number) => playHermes(python.program, moth, run) }] : []),
    ];
    const figures: Figure[] = [];
    for (const { name, act } of all) {
      at(name);
      const took: number[][] = [];
      for (let run = 0; run < runs; run++) {
        // Nothing else is heard while it plays, so Ctrl-C has its turn before.
        await setImmediate();
        took.push(act(run));
      }
      figures.push(...told(name, took));
    }
    return figures;
  } finally {
    await moth.stop();
  }
}

function told(name: string, runs: readonly number[][]): Figure[] {
  const part = (of: number): { value: number }[] => runs.map((took) => ({ value: quantile(took, of) }));
  return [
    figure(`${name}, median`, "ms", part(0.5), { of: "value", atMost: 0.1 }),
    figure(`${name}, 99 of 100`, "ms", part(0.99), { of: "value", atMost: 5 }),
  ];
}

/** @returns milliseconds of each event */
function play({ folder, file, recording, task, env }: Adapter, moth: Running): number[] {
  const its = join(root, "packages", folder);
  const lines = readFileSync(join(its, "fixtures", `${recording}.jsonl`), "utf8")
    .trim()
    .split("\n");
  const session = lines.map((line) => JSON.parse(line) as object);
  const events = Array.from({ length: Math.ceil(1000 / session.length) }, () => session).flat();
  const { folder: home, remove } = beginFolder();
  try {
    const [given, result] = [join(home, "task.json"), join(home, "result.json")];
    const built = join(its, "dist", file);
    const all = { extension: built, plugin: built, infos: {}, hostile: false, broken: false, page: false, ...task };
    writeFileSync(given, JSON.stringify({ ...all, events, result }));
    execFileSync(process.execPath, [join(its, "test", "host.mjs"), given], {
      env: { ...moth.env, MOTH_HOME: join(moth.home, ".moth"), ...env },
      stdio: "ignore",
      timeout: 60_000,
    });
    return (JSON.parse(readFileSync(result, "utf8")) as { took: number[] }).took;
  } finally {
    remove();
  }
}

function playHermes(python: string, moth: Running, run: number): number[] {
  const steps = Array.from({ length: HERMES_TURNS }, (_, n) => {
    const its = { turn_id: `turn-${run}-${n}` };
    const says = `All ${n} tests pass.`;
    const calls = [{ id: `c${n}`, name: "terminal" }];
    return [start(its), model("", calls, its), tool(`c${n}`, "terminal"), model(says, [], its), reply(says, its), end(its)];
  }).flat();
  const its = join(root, "packages", "hermes-plugin");
  const printed = execFileSync(python, [join(its, "test", "host.py")], {
    input: JSON.stringify(steps),
    env: { ...moth.env, MOTH_HOME: join(moth.home, ".moth"), PLUGIN: join(its, "plugin"), PYTHONUTF8: "1" },
    encoding: "utf8",
    timeout: 60_000,
  });
  return (JSON.parse(printed) as { took: number[] }).took;
}
