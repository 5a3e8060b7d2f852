import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Fault } from "../fault.ts";

const TIMES = 100;
const HARNESSES = ["claude-code", "codex", "opencode", "pi"];

/** In a world of e2e's, with its fake model: `e2e/together/restarted.test.ts`. */
export const harnesses: Fault = {
  name: "moth started anew under four real harnesses",
  lacks: (short) => (short ? "it takes minutes; the long form has it" : undefined),
  async run(trial) {
    const e2e = join(import.meta.dirname, "..", "..", "..", "e2e");
    const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
    const args = [vitest, "run", "--config", join(e2e, "vitest.config.ts"), "together/restarted"];
    const env = { ...process.env, MOTH_CHAOS_RESTARTS: String(TIMES), MOTH_E2E_HARNESSES: HARNESSES.join(","), NO_COLOR: "1" };
    const child = spawn(process.execPath, args, { cwd: e2e, env, stdio: ["ignore", "pipe", "pipe"] });
    trial.after(() => child.kill());
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (said += text));
    const [code] = (await once(child, "close")) as [number | null];
    const isRun = /Tests\s+1 passed/.test(said);
    trial.claim(
      "every reply is heard once, no session is lost from sight, and no harness notices",
      code === 0 && isRun,
      said.slice(-3000),
    );
    return TIMES;
  },
};
