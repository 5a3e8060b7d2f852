// `docs/openapi.json` against the routes and the schemas that the server works with. `node scripts/openapi.mjs --write` writes it anew.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApi } from "../packages/server/openapi/document.ts";

const file = join(import.meta.dirname, "..", "docs", "openapi.json");
const made = `${JSON.stringify(openApi(), undefined, 2)}\n`;
if (process.argv.includes("--write")) writeFileSync(file, made);
if (readFileSync(file, "utf8") !== made) {
  console.log(
    "docs/openapi.json is not what the server's routes and schemas say. Write it anew: node scripts/openapi.mjs --write",
  );
  process.exitCode = 1;
}
