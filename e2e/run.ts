/**
 * `node e2e/run.ts [--newest] [harness] [scenario]`: the real CLIs against the fake model API. Prints the matrix and, at the end, one line
 * `N passed, N failed`. Exit code 0 only when something was tested and nothing failed; 2 for a name it does not know.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type } from "node:os";
import { dirname, join } from "node:path";
import { findHarness, harnesses } from "@moth-companion/harnesses";
import { installCli, type InstalledCli, pinned } from "./src/clis.ts";
import { drivers } from "./src/drivers/index.ts";
import { type MatrixPage, matrixPage } from "./src/matrix-page.ts";
import { leftovers, MARK } from "./src/leftovers.ts";
import { newestVersion } from "./src/newest.ts";
import { endTree } from "./src/processes.ts";
import { inColumns } from "../scripts/in-columns.ts";
import { type Cell, cell, type RunResult } from "./src/results.ts";

const here = import.meta.dirname;
const out = join(here, ".out");
const resultsFile = join(out, "vitest.json");
const page = join(here, "..", "docs", "matrix.md");
const RUN_TIME = 50 * 60_000;
/** CLIs that are installed at the same time: mostly waiting for the network, and unpacking. */
const AT_ONCE = 3;
const scenarios = readdirSync(join(here, "scenarios"))
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => name.slice(0, -".test.ts".length))
  .sort();

const newest = process.argv.includes("--newest");
const args = process.argv.slice(2).filter((arg) => arg !== "--" && arg !== "--newest");
if (args.includes("--list")) {
  console.log(`harnesses: ${drivers.map((driver) => `${driver.id} (${pinned(driver.id).version})`).join(", ")}`);
  console.log(`scenarios: ${scenarios.join(", ")}`);
  process.exit(0);
}
const harnessNames = args.filter((arg) => drivers.some((driver) => driver.id === arg));
const scenarioNames = args.filter((arg) => scenarios.includes(arg));
const unknown = args.filter((arg) => !harnessNames.includes(arg) && !scenarioNames.includes(arg));
if (unknown.length > 0) {
  console.error(`e2e: there is no harness and no scenario ${unknown.map((name) => JSON.stringify(name)).join(", ")}.`);
  console.error(`harnesses: ${drivers.map((driver) => driver.id).join(" ")}\nscenarios: ${scenarios.join(" ")}`);
  process.exit(2);
}
const chosen = harnessNames.length > 0 ? drivers.filter((driver) => harnessNames.includes(driver.id)) : drivers;
const columns = scenarioNames.length > 0 ? scenarios.filter((name) => scenarioNames.includes(name)) : scenarios;

const began = Date.now();
const problems: string[] = [];
mkdirSync(out, { recursive: true });
rmSync(resultsFile, { force: true });
// The workers read it, too.
if (newest) process.env["MOTH_E2E_VERSIONS"] = JSON.stringify(await newestVersions());
const clis = new Map<string, InstalledCli>();
const waiting = [...chosen];
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let driver = waiting.shift(); driver; driver = waiting.shift()) {
      const cli = await installCli(driver);
      clis.set(driver.id, cli);
      console.log(cli.ok ? `${driver.id} ${cli.version}: ${cli.program}` : `${driver.id} ${cli.version}: skipped, ${cli.reason}`);
    }
  }),
);

const run = randomBytes(4).toString("hex");
const status = await vitest();
const result = readResults();
problems.push(...result.problems);
if (status !== 0 && problems.length === 0 && !result.cases.some((one) => one.status === "FAIL"))
  problems.push(`the test run ended with ${status}`);
problems.push(...(await leftovers(run)));

report();

/** The newest version of each chosen CLI. One whose registry does not answer stays at its pinned version, and fails the run. */
async function newestVersions(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { id } of chosen) {
    try {
      found[id] = await newestVersion(id);
    } catch (error) {
      problems.push(`${id}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return found;
}

function vitest(): Promise<number | null> {
  const require = createRequire(import.meta.url);
  const program = join(dirname(require.resolve("vitest/package.json")), "vitest.mjs");
  const files = scenarioNames.length > 0 ? columns.map((name) => `scenarios/${name}.test.ts`) : [];
  const env = {
    ...process.env,
    [MARK]: run,
    MOTH_E2E_HARNESSES: chosen.map((driver) => driver.id).join(","),
    MOTH_E2E_RESULTS: resultsFile,
  };
  const child = spawn(process.execPath, [program, "run", "--config", join(here, "vitest.config.ts"), ...files], {
    cwd: here,
    env,
    stdio: "inherit",
  });
  const timer = setTimeout(() => {
    problems.push(`the test run did not end within ${RUN_TIME / 60_000} minutes`);
    if (child.pid) endTree(child.pid);
  }, RUN_TIME);
  return new Promise((resolve) => {
    child.once("error", (error) => problems.push(`the test run did not start: ${error.message}`));
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve(code);
    });
  });
}

function readResults(): RunResult {
  if (!existsSync(resultsFile)) return { cases: [], problems: ["the test run crashed: it left no results"] };
  return JSON.parse(readFileSync(resultsFile, "utf8")) as RunResult;
}

function seen(matrix: Readonly<Record<string, Readonly<Record<string, Cell>>>>): MatrixPage {
  return {
    scenarios: columns,
    columns: drivers.map(({ id, answers, away, orders, plan }) => ({
      answers,
      away,
      orders,
      plan,
      name: findHarness(id)?.name ?? id,
      version: clis.get(id)?.version ?? "unknown",
      page: `harness/${id}.md`,
      cells: matrix[id] ?? {},
    })),
    unseen: harnesses.filter((harness) => drivers.every((driver) => driver.id !== harness.id)).map(({ name }) => name),
    machine: `${type()} ${process.arch}, Node ${process.versions.node}`,
  };
}

function report(): void {
  const matrix = Object.fromEntries(
    chosen.map((driver) => [
      driver.id,
      Object.fromEntries(columns.map((name) => [name, cell(result, driver, name, clis.get(driver.id))])),
    ]),
  );
  // The page is about the versions that the tree names.
  const isWhole = chosen.length === drivers.length && columns.length === scenarios.length;
  if (isWhole && !process.env["MOTH_E2E_VERSIONS"]) writeFileSync(page, matrixPage(seen(matrix)));
  const rows = columns.map((name) => [name, ...chosen.map((driver) => matrix[driver.id]?.[name]?.status ?? "not run")]);
  console.log(`\n${inColumns([["", ...chosen.map((driver) => driver.id)], ...rows])}\n`);

  for (const driver of chosen) {
    const cli = clis.get(driver.id);
    if (cli && !cli.ok) console.log(`skipped: ${driver.id}: ${cli.reason}`);
    for (const name of columns) {
      const { status, reason } = matrix[driver.id]?.[name] ?? { status: "not run" };
      if (status === "n/a") console.log(`n/a: ${driver.id} ${name}: ${reason}`);
      if (status === "not run") problems.push(`${driver.id} ${name}: no case of it was run`);
    }
  }
  for (const one of result.cases) {
    if (one.status !== "FAIL" && one.status !== "flaky") continue;
    console.log(`${one.status}: ${one.harness ?? "the suite itself"} ${one.scenario}: ${one.name}`);
    for (const error of one.errors) console.log(`    ${error.split("\n")[0]}`);
  }
  for (const problem of problems) console.log(`FAIL: ${problem}`);

  const passed = result.cases.filter((one) => one.status === "ok" || one.status === "flaky").length;
  const failed =
    result.cases.filter((one) => one.status === "FAIL").length +
    problems.length +
    (result.cases.length === 0 && problems.length === 0 ? 1 : 0);
  const seconds = Math.round((Date.now() - began) / 1000);
  const versions = Object.fromEntries([...clis].map(([id, cli]) => [id, cli.version]));
  writeFileSync(
    join(out, "results.json"),
    JSON.stringify({ passed, failed, seconds, platform: process.platform, versions, matrix, problems }, null, 2),
  );
  console.log(`${seconds} s, results in ${join("e2e", ".out", "results.json")}`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
