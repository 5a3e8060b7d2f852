// Whether every published package says whose code it ships. The builds write it down (`licenses.ts`); here it is looked at from the
// other side: what the packages are known to take in, and what the shipped files themselves tell of where they come from.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const KNOWN = {
  "moth-companion": ["ansi-regex", "ansi-styles", "citty", "get-east-asian-width", "string-width", "strip-ansi", "wrap-ansi"],
  "@moth-companion/harnesses": ["@decimalturn/toml-patch", "jsonc-parser", "yaml"],
  "@moth-companion/server": ["dompurify", "marked", "preact", "zod"],
};

const packages = join(import.meta.dirname, "..", "packages");
for (const folder of readdirSync(packages)) {
  const { name, private: isPrivate } = JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8"));
  const dist = join(packages, folder, "dist");
  if (isPrivate || !existsSync(dist)) continue;
  const list = join(dist, "THIRD_PARTY_LICENSES");
  const named = existsSync(list)
    ? [...readFileSync(list, "utf8").matchAll(/^(\S+) \d+\.\d+\S* \(.+\)$/gm)].map(([, one]) => one)
    : [];
  const known = KNOWN[name] ?? [];
  for (const one of known) if (!named.includes(one)) complain(`${name} ships ${one} and does not list its licence`);
  for (const one of named)
    if (!known.includes(one)) complain(`${name} ships ${one}: may it? Then name it in scripts/third-party.mjs`);
  const told = readdirSync(dist, { recursive: true })
    .filter((file) => /\.[cm]?js$/.test(file))
    .flatMap((file) => [
      ...readFileSync(join(dist, file), "utf8").matchAll(/\.pnpm\/[^/\s]+\/node_modules\/((?:@[^/\s]+\/)?[^/\s]+)/g),
    ])
    .map(([, one]) => one);
  for (const one of new Set(told))
    if (!named.includes(one)) complain(`${name} has code of ${one} in it and does not list its licence`);
}

function complain(text) {
  console.log(text);
  process.exitCode = 1;
}
