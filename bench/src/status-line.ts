import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TOKEN_HEADER } from "@moth-companion/core/protocol";
import { type Figure, figure, quantile } from "./figure.ts";
import { root, startMoth } from "./processes.ts";

const RUNS = 60;

/** `moth status --line` with a session that works, as a status bar asks for it, against a Node process that does nothing. */
export async function benchStatusLine(): Promise<Figure[]> {
  const moth = await startMoth();
  const folder = mkdtempSync(join(tmpdir(), "moth-bench-"));
  const empty = join(folder, "empty.mjs");
  writeFileSync(empty, "");
  const url = `http://127.0.0.1:${moth.port}`;
  const env = { PATH: process.env["PATH"], HOME: moth.home, USERPROFILE: moth.home, MOTH_URL: url };
  try {
    await fetch(`${url}/api/state`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        [TOKEN_HEADER]: readFileSync(join(moth.home, ".moth", "token"), "utf8").trim(),
      },
      body: JSON.stringify({ source: "bench", session: "s1", state: "working" }),
    });
    const line: number[] = [];
    const bare: number[] = [];
    // In turns, so that a noisy moment hits both.
    for (let i = 0; i < RUNS; i++) {
      bare.push(time([empty], "", env));
      line.push(time([join(root, "packages/cli/bin/moth.mjs"), "status", "--line"], "1 works\n", env));
    }
    return [figure("moth status --line", "ms", quantile(line, 0.1), quantile(bare, 0.1), { of: "ratio", atMost: 2 })];
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await moth.stop();
  }
}

function time(args: string[], expected: string, env: Record<string, string | undefined>): number {
  const started = performance.now();
  const run = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  const took = performance.now() - started;
  if (run.stdout !== expected) throw new Error(`${args.join(" ")} printed ${JSON.stringify(run.stdout)}`);
  return took;
}
