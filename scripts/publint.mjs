// Checks every published package as npm would ship it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const packages = join(import.meta.dirname, "..", "packages");
let problems = 0;
for (const name of readdirSync(packages)) {
  const pkgDir = join(packages, name);
  const manifest = JSON.parse(readFileSync(join(pkgDir, "package.json"), "utf8"));
  if (manifest.private) continue;
  const { messages, pkg } = await publint({ pkgDir, pack: "pnpm", level: "warning" });
  for (const message of messages) {
    problems++;
    console.log(`${manifest.name}: ${formatMessage(message, pkg)}`);
  }
}
process.exitCode = problems === 0 ? 0 : 1;
