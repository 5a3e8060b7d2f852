/**
 * `node e2e/packed/run.ts [file...]`: every package as it is shipped, installed and used. Ends with one line `N passed, N failed`, and with
 * exit code 0 only when something was tested and nothing failed.
 */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { leftovers, MARK } from "../src/leftovers.ts";
import type { RunResult } from "../src/results.ts";

const here = import.meta.dirname;
const RUN_TIME = 20 * 60_000;
const results = join(here, "..", ".out", "packed.json");
const run = randomBytes(4).toString("hex");
mkdirSync(dirname(results), { recursive: true });
rmSync(results, { force: true });

const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
const { status } = spawnSync(
  process.execPath,
  [vitest, "run", "--config", join(here, "vitest.config.ts"), ...process.argv.slice(2)],
  { cwd: here, stdio: "inherit", timeout: RUN_TIME, env: { ...process.env, [MARK]: run, MOTH_E2E_RESULTS: results } },
);

const { cases, problems } = read();
problems.push(...(await leftovers(run)));
const failed = cases.filter((one) => one.status === "FAIL");
const skipped = cases.filter((one) => one.status === "n/a");
if (status !== 0 && failed.length === 0 && problems.length === 0)
  problems.push(`the test run ended with ${status ?? `nothing, within ${RUN_TIME / 60_000} minutes`}`);
if (cases.length === 0 && problems.length === 0) problems.push("nothing was tested");
for (const one of skipped) console.log(`skipped: ${one.name}`);
for (const one of cases.filter(({ status: how }) => how === "FAIL" || how === "flaky"))
  console.log(`${one.status}: ${one.scenario}: ${one.name}\n    ${one.errors.join("\n").split("\n").slice(0, 3).join("\n    ")}`);
for (const problem of problems) console.log(`FAIL: ${problem}`);
console.log(`${cases.length - failed.length - skipped.length} passed, ${failed.length + problems.length} failed`);
process.exitCode = failed.length + problems.length === 0 ? 0 : 1;

function read(): RunResult {
  try {
    return JSON.parse(readFileSync(results, "utf8")) as RunResult;
  } catch {
    return { cases: [], problems: ["the test run crashed: it left no results"] };
  }
}
