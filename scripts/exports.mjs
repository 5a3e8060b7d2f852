// The names that each published package exports, as built, against `exports.txt`: what others may have built upon does not go by accident.
// `node scripts/exports.mjs --write` writes them down anew.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const file = join(import.meta.dirname, "exports.txt");

const lines = [];
for (const folder of readdirSync(join(root, "packages"))) {
  const at = join(root, "packages", folder);
  const manifest = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
  const { name, private: isPrivate, exports = {}, bin = {}, publishConfig = {} } = manifest;
  if (isPrivate) continue;
  // What is published may have a list of its own, and whoever adds to the one forgets the other: all goes well until the package is installed.
  const published = publishConfig.exports ?? exports;
  for (const [list, other, where] of [
    [exports, published, "publishConfig.exports"],
    [published, exports, "exports"],
  ]) {
    for (const path of Object.keys(list).filter((path) => !Object.hasOwn(other, path))) {
      console.log(`${name}: "${path}" is missing from ${where} in its package.json`);
      process.exitCode = 1;
    }
  }
  for (const command of Object.keys(bin)) lines.push(`${name}: the command ${command}`);
  for (const [path, target] of Object.entries(exports)) {
    const types = typeof target === "string" ? undefined : target.types;
    const names = types === undefined ? [] : exportedNames(join(at, types));
    lines.push(`${join(name, path).replaceAll("\\", "/")}: ${types === undefined ? "a file" : names.join(" ")}`);
  }
}
const found = `${lines.join("\n")}\n`;
if (process.argv.includes("--write")) writeFileSync(file, found);
const known = readFileSync(file, "utf8");
if (found !== known) {
  const [before, after] = [known, found].map((text) => new Set(text.trimEnd().split("\n")));
  for (const line of before) if (!after.has(line)) console.log(`- ${line}`);
  for (const line of after) if (!before.has(line)) console.log(`+ ${line}`);
  console.log("The packages export other names than scripts/exports.txt says. Meant so? node scripts/exports.mjs --write");
  process.exitCode = 1;
}

/** Of a declaration file and what it passes on whole, in order of the alphabet. */
function exportedNames(file) {
  const text = readFileSync(file, "utf8").replaceAll(/\/\*[^]*?\*\//g, "");
  const declared = [...text.matchAll(/^export (?:declare )?(?:abstract )?(?:interface|type|const|let|function|class) (\w+)/gm)];
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = ""]) => list.split(","));
  const last = listed.map((entry) => /(\w+)\s*$/.exec(entry)?.[1]).filter((name) => name !== undefined);
  const passed = [...text.matchAll(/^export (?:type )?\* from "(.+)\.(?:ts|js)"/gm)].flatMap(([, path]) =>
    exportedNames(join(dirname(file), `${path}.d.ts`)),
  );
  return [...new Set([...declared.map(([, name = ""]) => name), ...last, ...passed])].toSorted((a, b) => (a < b ? -1 : 1));
}
