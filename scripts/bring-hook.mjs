// For packages that are a plugin as a harness's own installer takes it: the built hook program, where the plugin's hooks look for it, and the
// package's version in the plugin's own manifests.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * @param {string} folder the package's
 * @param {readonly string[]} manifests files in it that name its version
 */
export function bringHook(folder, manifests) {
  mkdirSync(join(folder, "dist"), { recursive: true });
  const { resolve } = createRequire(join(folder, "package.json"));
  for (const file of ["moth-hook.cjs", "moth-hook-program.js"])
    copyFileSync(resolve(`@moth-companion/hook/${file}`), join(folder, "dist", file));

  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  for (const file of manifests) {
    const manifest = readFileSync(join(folder, file), "utf8");
    const current = manifest.replace(/"version": ".*?"/, `"version": "${version}"`);
    if (current !== manifest) writeFileSync(join(folder, file), current);
  }
}
