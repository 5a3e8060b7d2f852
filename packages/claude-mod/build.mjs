// Puts the built hook program where the plugin's hooks look for it, and the package's version into the plugins' manifests.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const at = (file) => fileURLToPath(new URL(file, import.meta.url));
mkdirSync(at("dist"), { recursive: true });
const { resolve } = createRequire(import.meta.url);
for (const file of ["moth-hook.cjs", "moth-hook-program.js"])
  copyFileSync(resolve(`@moth-companion/hook/${file}`), at(`dist/${file}`));

const { version } = JSON.parse(readFileSync(at("package.json"), "utf8"));
for (const file of [".claude-plugin/plugin.json", "band/.claude-plugin/plugin.json"]) {
  const manifest = readFileSync(at(file), "utf8");
  const current = manifest.replace(/"version": ".*"/, `"version": "${version}"`);
  if (current !== manifest) writeFileSync(at(file), current);
}
