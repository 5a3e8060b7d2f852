/** What every line for a shell must say to that shell, whatever stands in the paths. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkCases, type Dice, expectEqual } from "../../test/generate/dice.ts";
import { harnesses } from "../registry.ts";
import type { InstallOptions } from "../types.ts";
import type { Entry } from "./hook-table.ts";
import { hookTable, type SettingsHooks } from "./settings-hooks.ts";
import { readShellLine, type Shell, shellLine } from "./shell-line.ts";

const PARTS = [
  "Ada Lovelace",
  "it's",
  "a''b",
  "'",
  "(x86)",
  "$HOME",
  "`id`",
  "ключ",
  "a&b",
  "%PATH%",
  "~",
  "a;b",
  "!x",
  "^",
  "#",
  "\\'",
  "a-b_c.d",
] as const;

function anyPath(dice: Dice, windows: boolean): string {
  const parts = [...dice.some(PARTS), "moth-hook"].slice(0, 5);
  // Windows has no such names.
  return windows ? ["C:", ...parts.map((part) => part.replaceAll("\\", ""))].join("\\") : `/${parts.join("/")}`;
}

/** The words of a line as a shell takes it, by the rules for the quotes that moth uses. */
const INTERPRETERS: Readonly<Record<"powershell" | "cmd", (line: string) => string[]>> = {
  powershell(line) {
    expect(line.startsWith("& ")).toBe(true);
    return [...line.slice(2).matchAll(/'((?:[^']|'')*)'|([^\s']+)/g)].map(
      ([, quoted, bare]) => quoted?.replaceAll("''", "'") ?? bare ?? "",
    );
  },
  cmd: (line) => [...line.matchAll(/"([^"]*)"|([^\s"]+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? ""),
};

test.each(["powershell", "cmd"] as const)("%s gets program and arguments as they are, and moth reads them back", (shell) => {
  const cases = checkCases(2000, (dice, note) => {
    const words = [anyPath(dice, true), anyPath(dice, true), "some", "if-waiting"] as const;
    const [command, ...args] = words;
    const line = shellLine({ command, args }, shell);
    note(line);
    expectEqual(INTERPRETERS[shell](line), [...words]);
    // Two apostrophes side by side are one to PowerShell, whose lines moth writes so; a cmd line has none to tell by.
    expectEqual(readShellLine(line), { command, args });
  });
  expect(cases).toBeGreaterThan(0);
});

test.skipIf(process.platform === "win32")("sh gets program and arguments as they are, and moth reads them back", () => {
  const lines: { words: string[]; line: string }[] = [];
  checkCases(500, (dice, note) => {
    const words = [anyPath(dice, false), anyPath(dice, false), "some"];
    const line = shellLine({ command: words[0] ?? "", args: words.slice(1) }, "posix");
    note(line);
    expectEqual(readShellLine(line), { command: words[0], args: words.slice(1) });
    lines.push({ words, line });
  });
  const script = lines.map(({ line }) => line.replace(/^exec /, "printf '%s\\0' ")).join("\n");
  const { stdout } = spawnSync("/bin/sh", { input: script, encoding: "utf8", maxBuffer: 64 << 20 });
  expect(stdout.split("\0").slice(0, -1)).toEqual(lines.flatMap(({ words }) => words));
});

const windows: InstallOptions = {
  env: { HOME: "C:\\Users\\Ada Lovelace", MOTH_HOME: "/Users/Ada's moth" },
  hookProgram: "",
  findPlugin: String,
  node: "C:\\Program Files (x86)\\nodejs\\node.exe",
};
/** Which key of an entry is a line for which shell; `args` beside `command` is for none. */
const SHELLS: Readonly<Record<string, Shell>> = { powershell: "powershell", commandWindows: "powershell" };

describe.each(harnesses.map(({ id }) => id).filter((id) => existsSync(join(import.meta.dirname, "..", id, "install.ts"))))(
  "%s",
  (id) => {
    test("calls Node and the hook program on Windows, spaces and apostrophes in their paths", async () => {
      const { settingsHooks } = (await import(`../${id}/install.ts`)) as { settingsHooks?: SettingsHooks };
      if (!settingsHooks) return;
      const table = hookTable(settingsHooks, windows, "win32");
      expect(table.entries.size).toBeGreaterThan(0);
      for (const entry of table.entries.values()) {
        const words = wordsOf(entry);
        expect(words.slice(0, 3)).toEqual([windows.node, join("/Users/Ada's moth", "lib", "moth-hook.cjs"), id]);
        expect(table.isOurs(entry)).toBe(true);
        // A settings file that two systems share.
        expect(hookTable(settingsHooks, windows, "linux").isOurs(entry)).toBe(true);
      }
    });
  },
);

function wordsOf(entry: Entry): readonly string[] {
  const { command, args } = entry as { command?: string; args?: string[] };
  if (args) return [command ?? "", ...args];
  const [key, shell] = Object.entries(SHELLS).find(([name]) => name in entry) ?? ["command", undefined];
  const line = String(entry[key]);
  return INTERPRETERS[shell === "powershell" || line.startsWith("& ") ? "powershell" : "cmd"](line);
}
