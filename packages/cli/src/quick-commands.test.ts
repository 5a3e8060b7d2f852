import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { COMMANDS } from "./commands/index.ts";
import { QUICK } from "./quick-commands.ts";
import { takes } from "./quick.ts";

test("what is quick is a command, and what is no quick command is left to the rest of moth", () => {
  expect(QUICK.filter((name) => !Object.hasOwn(COMMANDS, name))).toEqual([]);
  expect(["--version", ...QUICK].map(takes)).not.toContain(false);
  expect([undefined, "", "--help", "help", "--json", "up", "toString", "nonsense"].map(takes)).not.toContain(true);
});

test("the file of the quick commands has all that they need but Node itself, and not Node's slow HTTP client", () => {
  const file = fileURLToPath(new URL("../dist/quick.cjs", import.meta.url));
  if (!existsSync(file)) throw new Error("The built command is looked at here, and it is not built. Run: npm run build");
  const loaded = [...readFileSync(file, "utf8").matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name ?? "");
  expect(loaded).toContain("node:net");
  expect(loaded.filter((name) => !name.startsWith("node:") || /^node:https?2?$/.test(name))).toEqual([]);
});
