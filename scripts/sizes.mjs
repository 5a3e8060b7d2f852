// Whether every file that runs inside a harness, or is loaded with each hook or page, is still small: its budget in bytes, as shipped.
// One that grows past it slows somebody down. Make it smaller, or raise the budget here and say why in the commit.
import { statSync } from "node:fs";
import { join } from "node:path";

const BUDGETS = {
  "claude-mod/band/dist/band.mjs": 9_500,
  "claude-mod/band/dist/moth-inside.cjs": 11_000,
  "cli/dist/line.cjs": 8_500,
  "cli/dist/quick.cjs": 115_000,
  "copilot-extension/dist/extension.mjs": 19_000,
  "dsh-plugin/dist/moth.mjs": 30_500,
  "ext-pi/dist/moth.js": 29_500,
  "hermes-plugin/plugin/desktop/plugin.js": 4_500,
  "hook/dist/moth-hook.cjs": 2_800,
  "hook/dist/moth-hook-program.js": 56_000,
  "page/dist/index.js": 150_000,
  "plugin-opencode/dist/moth-window.js": 27_000,
  "plugin-opencode/dist/moth.js": 28_000,
};

for (const [file, budget] of Object.entries(BUDGETS)) {
  const { size } = statSync(join(import.meta.dirname, "..", "packages", file));
  const over = size > budget;
  if (over) process.exitCode = 1;
  if (over || process.argv.includes("--all")) console.log(`${over ? "over" : "ok  "} ${file}: ${size} of ${budget} bytes`);
}
