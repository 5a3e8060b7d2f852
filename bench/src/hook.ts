import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Harness, harnesses } from "@moth-companion/harnesses";
import { hooked } from "../../e2e/contract/rigs/index.ts";
import { type Figure, figure, quantile } from "./figure.ts";
import { root, type Running, startMoth } from "./processes.ts";

const RUNS = 60;
const REPLY = "The tests pass. **Two files** changed.";
const program = join(root, "packages/hook/dist/moth-hook.cjs");

/**
 * The hook process of each harness whose hooks are commands, at the end of a turn that it has a reply of, against a Node process that
 * is given the same and does nothing: an empty ES module, which never looks at its stdin and ends by itself. `bench/README.md` tells
 * what that compares.
 */
export async function benchHook(): Promise<Figure[]> {
  const moth = await startMoth();
  const folder = mkdtempSync(join(tmpdir(), "moth-bench-"));
  const empty = join(folder, "empty.mjs");
  writeFileSync(empty, "");
  try {
    return harnesses.filter((harness) => harness.readPayload !== undefined).map((harness) => measure(harness, empty, moth));
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await moth.stop();
  }
}

function measure({ id, program: name }: Harness, empty: string, moth: Running): Figure {
  const told = hooked.find(({ source }) => source === id);
  if (!told) throw new Error(`nobody says what ${id} tells its hooks: e2e/contract/rigs/index.ts`);
  // Stands for the harness, where a hook looks whose child it is.
  const caller = spawn(process.execPath, ["-e", "setInterval(() => {}, 60_000)"], { argv0: name, stdio: "ignore" });
  const env = { ...environment(moth, caller.pid), ...told.env?.(moth.home) };
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
  caller.kill();
  const [what, atMost] = told.helper ? (["hook process that starts another", 1.35] as const) : (["hook process", 1.25] as const);
  return figure(`${what}: ${id}`, "ms", quantile(hook, 0.1), quantile(bare, 0.1), { of: "ratio", atMost });
}

/** As the launcher makes it. */
function environment({ home, port }: Running, caller: number | undefined): Record<string, string | undefined> {
  return {
    PATH: process.env["PATH"],
    HOME: home,
    USERPROFILE: home,
    MOTH_HOME: join(home, ".moth"),
    MOTH_CALLER: String(caller),
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
