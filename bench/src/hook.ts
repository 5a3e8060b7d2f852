import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { harnesses } from "@moth-companion/harnesses";
import { hooked } from "../../e2e/contract/rigs/index.ts";
import { type Figure, figure, quantile } from "./figure.ts";
import { root, type Running, startMoth } from "./processes.ts";

const RUNS = 40;
const REPLY = "The tests pass. **Two files** changed.";
const program = join(root, "packages/hook/dist/moth-hook.cjs");

/**
 * The hook process of each harness whose hooks are commands, at the end of a turn that it has a reply of, against a Node process that
 * is given the same and does nothing: an empty ES module, which never looks at its stdin and ends by itself.
 */
export async function benchHook(): Promise<Figure[]> {
  const moth = await startMoth();
  const folder = mkdtempSync(join(tmpdir(), "moth-bench-"));
  const empty = join(folder, "empty.mjs");
  writeFileSync(empty, "");
  try {
    return harnesses.filter((harness) => harness.readPayload !== undefined).map(({ id }) => measure(id, empty, moth));
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await moth.stop();
  }
}

function measure(id: string, empty: string, moth: Running): Figure {
  const told = hooked.find(({ source }) => source === id);
  if (!told) throw new Error(`nobody says what ${id} tells its hooks: e2e/contract/rigs/index.ts`);
  const env = { ...environment(moth), ...told.env?.(moth.home) };
  const hook: number[] = [];
  const bare: number[] = [];
  for (let turn = 0; turn < RUNS; turn++) {
    const events = told.tell({ is: "turn", says: REPLY }, turn, moth.home);
    for (const [at, { payload, args = [], before }] of events.entries()) {
      before?.();
      const input = JSON.stringify(payload);
      const isLast = at === events.length - 1;
      // In turns, so that a noisy moment hits both.
      if (isLast) bare.push(time([empty], input, env));
      const took = time([program, id, ...args], input, env);
      if (isLast) hook.push(took);
    }
  }
  const name = `hook process: ${id}`;
  return figure(name, "ms", quantile(hook, 0.1), quantile(bare, 0.1), { of: "ratio", atMost: 1.25 });
}

/** As the launcher makes it. */
function environment({ home, port }: Running): Record<string, string | undefined> {
  return {
    PATH: process.env["PATH"],
    HOME: home,
    USERPROFILE: home,
    MOTH_HOME: join(home, ".moth"),
    MOTH_CALLER: String(process.pid),
    MOTH_URL: `http://127.0.0.1:${port}`,
  };
}

function time(args: string[], input: string, env: Record<string, string | undefined>): number {
  const started = performance.now();
  const run = spawnSync(process.execPath, args, { input, env });
  const took = performance.now() - started;
  if (run.status !== 0) throw new Error(`${args.join(" ")} ended with ${run.status ?? run.signal}`);
  return took;
}
