/** What `moth doctor` can say and what docs/troubleshooting.md tells of it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./markdown.ts";

const SOURCES = join(import.meta.dirname, "..", "..", "src", "doctor");

test("every check of moth doctor has its entry, and every entry a check", () => {
  const sources = readdirSync(SOURCES).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const code = sources.map((name) => readFileSync(join(SOURCES, name), "utf8")).join("\n");
  const named = /\bok\(\s*"([a-z-]+)"|\bbad\(\s*(?:status|"(?:warn|fail)"),\s*"([a-z-]+)"/g;
  const checks = [...code.matchAll(named)].flatMap(([, ok, bad]) => ok ?? bad ?? []);
  expect(new Set(checks).size).toBeGreaterThan(12);
  const page = readFileSync(join(ROOT, "docs", "troubleshooting.md"), "utf8");
  const [, entries = ""] = /## What doctor says\n(.*?)\n## /s.exec(page) ?? [];
  const told = [...entries.matchAll(/^### (.+)$/gm)].map(([, name]) => name);
  expect(new Set(told)).toEqual(new Set(checks));
});
