// `npm test`: everything that must hold of a commit, the same here and in CI. Prints what each step found and, at the end, one
// line `N passed, N failed`: every test, and every other step as one.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const results = join(root, ".out", "unit.json");
// Seen from the root: no path in the command line has spaces then.
const reporter = "scripts/results-reporter.mjs";
mkdirSync(join(root, ".out"), { recursive: true });
rmSync(results, { force: true });

/** @type {[name: string, command: string, args: string[]][]} */
const steps = [
  ["build", "node", ["scripts/build.mjs"]],
  ["types", "tsc", ["--noEmit", "-p", "tsconfig.json"]],
  ["lint", "oxlint", ["--type-aware"]],
  ["format", "oxfmt", ["--check"]],
  ["unused", "knip", ["--no-progress"]],
  ["packages", "node", ["scripts/publint.mjs"]],
  ["sizes", "node", ["scripts/sizes.mjs"]],
  ["exports", "node", ["scripts/exports.mjs"]],
  ["openapi", "node", ["scripts/openapi.mjs"]],
  ["licences", "node", ["scripts/third-party.mjs"]],
  ["workflows", "node", ["scripts/workflows.mjs"]],
];

let passed = 0;
let failed = 0;
for (const [name, command, args] of steps) {
  const started = performance.now();
  const run = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 << 20,
    shell: process.platform === "win32",
  });
  const ok = run.status === 0;
  if (ok) passed++;
  else failed++;
  console.log(`${ok ? "ok  " : "FAIL"} ${name} ${((performance.now() - started) / 1000).toFixed(1)} s`);
  if (!ok) console.log(`${run.stdout ?? ""}${run.stderr ?? ""}${run.error?.message ?? ""}`);
  // Nothing after a broken build says anything.
  if (!ok && name === "build") end();
}

// In CI a test that fails is tried once more, and then named as flaky: it has a cause, which is to be found.
const retry = process.env["CI"] ? ["--retry=1"] : [];
const tests = spawnSync("vitest", ["run", "--reporter=default", `--reporter=./${reporter}`, ...retry, ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
  shell: process.platform === "win32",
  env: { ...process.env, MOTH_UNIT_RESULTS: results },
});
const counted = count();
passed += counted.passed;
failed += counted.failed;
for (const line of counted.named) console.log(line);
// A run that crashed, or tested nothing, has failed whatever it counted.
if ((tests.status !== 0 && counted.failed === 0) || counted.passed === 0) failed++;
end();

/** @returns {{passed: number, failed: number, named: string[]}} */
function count() {
  try {
    return JSON.parse(readFileSync(results, "utf8"));
  } catch {
    return { passed: 0, failed: 0, named: ["FAIL: the test run left no results"] };
  }
}

function end() {
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
