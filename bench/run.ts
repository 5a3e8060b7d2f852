/**
 * `npm run bench [-- words] [--short] [--json] [--write]`: what moth costs, each figure beside a baseline of the same run. Words choose
 * groups by their names; `--write` writes `docs/performance.md` of a whole run. It ends with 1 when a goal is missed or a group could not
 * be measured, with 2 when the words mean nothing.
 */
import { setImmediate } from "node:timers/promises";
import { readWords } from "./src/arguments.ts";
import { type Measured, writeDocument } from "./src/document.ts";
import { groups } from "./src/groups.ts";
import { endAll, endWithProcess } from "./src/leavings.ts";
import { createProgress } from "./src/progress.ts";
import { plainTable } from "./src/table.ts";

const wanted = readWords(process.argv.slice(2), groups);
if ("problem" in wanted) {
  console.error(wanted.problem);
  process.exit(2);
}
const { chosen, json, short, write } = wanted;
endWithProcess();

const began = performance.now();
const measured: Measured[] = [];
// Beside the result, which may be read by a program.
const progress = createProgress(process.stderr, chosen.length);
for (const group of chosen) {
  const { name, title } = group;
  progress.begin(name, title);
  const effort = { runs: short ? 2 : 5, short, at: progress.at };
  try {
    measured.push({ title, figures: await group.bench(effort) });
    progress.end(`measured: ${name}`);
  } catch (error) {
    // What was interrupted is no failure of the group: the signal is heard first.
    await setImmediate();
    progress.end(`could not be measured: ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  endAll();
}
const seconds = (performance.now() - began) / 1000;

const figures = measured.flatMap((group) => group.figures);
const isWhole = measured.length === chosen.length;
console.log(json ? JSON.stringify(figures, null, 2) : plainTable(figures));
if (write && isWhole) console.error(`written: ${writeDocument(measured, seconds, new Date())}`);
if (write && !isWhole) console.error("docs/performance.md was left as it is: not all could be measured.");
process.exitCode = isWhole && figures.every(({ ok }) => ok) ? 0 : 1;
