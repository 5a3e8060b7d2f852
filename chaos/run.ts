/**
 * `npm run chaos [-- --short] [part of a fault's name]`: what goes wrong on a real machine, done to the built moth. What is left to
 * chance comes from `MOTH_CHAOS_SEED`. Prints a table and, at the end, one line `N passed, N failed`: each thing claimed as one.
 */
import { randomInt } from "node:crypto";
import { attempt, type Result } from "./src/fault.ts";
import { faults } from "./src/faults/index.ts";
import { createRandom } from "./src/random.ts";
import { table } from "./src/table.ts";

const args = process.argv.slice(2).filter((arg) => arg !== "--");
const short = args.includes("--short");
const words = args.filter((arg) => arg !== "--short");
const chosen = faults.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
if (chosen.length === 0 || words.some((word) => word.startsWith("-"))) {
  console.error(`chaos: nothing is called ${words.join(" ")}. Write --short, or a part of one of these names:`);
  console.error(faults.map(({ name }) => `  ${name}`).join("\n"));
  process.exit(2);
}
const given = Number(process.env["MOTH_CHAOS_SEED"]);
const seed = Number.isSafeInteger(given) && given > 0 ? given : randomInt(1, 1_000_000);
console.log(`MOTH_CHAOS_SEED=${seed}${short ? " (short)" : ""}`);

const results: Result[] = [];
for (const fault of chosen) {
  const result = await attempt(fault, createRandom(seed, fault.name), short);
  results.push(result);
  console.log(`${result.skipped === undefined ? "done" : "skipped"}: ${fault.name}, ${result.seconds.toFixed(1)} s`);
}

console.log(`\n${table(results)}\n`);
let [passed, failed] = [0, 0];
for (const { name, claims } of results) {
  for (const [what, against] of claims) {
    if (against.length === 0) passed++;
    else failed++;
    if (against.length > 0) console.log(`FAIL: ${name}: ${what} (${against.length} times), first: ${against[0]}`);
  }
}
if (failed > 0) console.log(`\nAgain: MOTH_CHAOS_SEED=${seed} npm run chaos${short ? " -- --short" : ""}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
