/** `npm run bench [-- --json]`: what moth costs, each figure beside a baseline of the same run. */
import { benchHook } from "./src/hook.ts";
import { benchServer } from "./src/server.ts";
import { benchStatusLine } from "./src/status-line.ts";

const args = process.argv.slice(2);
const unknown = args.filter((arg) => arg !== "--json");
if (unknown.length > 0) {
  console.error(`bench: unknown argument ${unknown.join(" ")}. The one there is: --json`);
  process.exit(2);
}

const figures = [...(await benchHook()), ...(await benchStatusLine()), ...(await benchServer())];

if (args.includes("--json")) {
  console.log(JSON.stringify(figures, null, 2));
} else {
  const rows = figures.map((f) => [
    f.ok ? "ok" : "MISS",
    f.name,
    `${f.value} ${f.unit}`,
    `${f.baseline} ${f.unit}`,
    `${f.ratio}x`,
    f.goal,
  ]);
  const table = [["", "figure", "value", "baseline", "ratio", "goal"], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}
process.exitCode = figures.every((f) => f.ok) ? 0 : 1;
