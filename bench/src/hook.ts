import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { harnesses } from "@moth-companion/harnesses";
import { type Figure, figure, quantile } from "./figure.ts";
import { root, startMoth } from "./processes.ts";

const RUNS = 60;
const program = join(root, "packages/hook/dist/moth-hook.cjs");

/** The hook process of each harness whose hooks are commands, against a Node process that does nothing. */
export async function benchHook(): Promise<Figure[]> {
  const moth = await startMoth();
  const folder = mkdtempSync(join(tmpdir(), "moth-bench-"));
  const empty = join(folder, "empty.mjs");
  writeFileSync(empty, "");
  try {
    return harnesses
      .filter((harness) => harness.readPayload !== undefined)
      .map((harness) => {
        const fixture = join(root, "packages/harnesses/src", harness.id, "fixtures/stop.json");
        const payload = existsSync(fixture) ? readFileSync(fixture) : Buffer.from("{}");
        const env = {
          PATH: process.env["PATH"],
          HOME: moth.home,
          USERPROFILE: moth.home,
          MOTH_URL: `http://127.0.0.1:${moth.port}`,
        };
        const hook: number[] = [];
        const bare: number[] = [];
        // In turns, so that a noisy moment hits both.
        for (let i = 0; i < RUNS; i++) {
          bare.push(time([empty], payload, env));
          hook.push(time([program, harness.id], payload, env));
        }
        return figure(`hook process: ${harness.id}`, "ms", quantile(hook, 0.1), quantile(bare, 0.1), {
          of: "ratio",
          atMost: 1.25,
        });
      });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await moth.stop();
  }
}

function time(args: string[], input: Buffer, env: Record<string, string | undefined>): number {
  const started = performance.now();
  const run = spawnSync(process.execPath, args, { input, env });
  const took = performance.now() - started;
  if (run.status !== 0) throw new Error(`${args.join(" ")} ended with ${run.status ?? run.signal}`);
  return took;
}
