import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..", "..", "..");

/** The tests that stand behind a line: `[name](path) "what it says"`. */
function named(line: string): { path: string; says: string }[] {
  return [...line.matchAll(/\]\(([^)]+\.test\.ts)\) "([^"]+)"/g)].map(([, path = "", says = ""]) => ({ path, says }));
}

test("each line of SECURITY.md names a test, and each test that is named is there", () => {
  const rows = readFileSync(join(ROOT, "SECURITY.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| might |"));
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter((row) => named(row).length === 0)).toEqual([]);
  const missing = rows.flatMap(named).filter(({ path, says }) => {
    const text = existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : "";
    return !['"', "`", "'"].some((quote) => text.includes(`${quote}${says}${quote}`));
  });
  expect(missing).toEqual([]);
});
