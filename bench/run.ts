/**
 * `npm run bench [-- words] [--short] [--json] [--write]`: what moth costs, each figure beside a baseline of the same run. Words choose
 * groups by their names; `--write` writes `docs/performance.md` of a whole run.
 */
import { type Measured, writeDocument } from "./src/document.ts";
import { groups } from "./src/groups.ts";
import { plainTable } from "./src/table.ts";

const FLAGS = ["--json", "--short", "--write"];
const args = process.argv.slice(2).filter((arg) => arg !== "--");
const words = args.filter((arg) => !FLAGS.includes(arg));
const [json, short, write] = FLAGS.map((flag) => args.includes(flag));
const chosen = groups.filter(({ name }) => words.length === 0 || words.some((word) => name.startsWith(word)));
const strange = words.filter((word) => !groups.some(({ name }) => name.startsWith(word)));
if (strange.length > 0) {
  console.error(
    `bench: nothing is called ${strange.join(" ")}. Write ${FLAGS.join(", ")}, or the beginning of one of these names:`,
  );
  console.error(groups.map(({ name, title }) => `  ${name.padEnd(10)} ${title}`).join("\n"));
  process.exit(2);
}
if (write && (short || chosen.length < groups.length)) {
  console.error("bench: --write is for a whole run, so that all figures in docs/performance.md are of one machine and moment.");
  console.error("       npm run bench -- --write");
  process.exit(2);
}

const began = performance.now();
const measured: Measured[] = [];
for (const group of chosen) {
  const { name, title } = group;
  const started = performance.now();
  measured.push({ title, figures: await group.bench(short ? { runs: 2, short: true } : { runs: 5, short: false }) });
  // Beside the result, which may be read by a program.
  console.error(`measured: ${name}, ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
const seconds = (performance.now() - began) / 1000;

const figures = measured.flatMap((group) => group.figures);
console.log(json ? JSON.stringify(figures, null, 2) : plainTable(figures));
if (write) console.error(`written: ${writeDocument(measured, seconds, new Date())}`);
process.exitCode = figures.every(({ ok }) => ok) ? 0 : 1;
