/** For tests over the registry: a home in which every harness is installed, with settings of its own. */
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, extname, join, relative } from "node:path";
import { harnesses } from "../src/registry.ts";
import type { Dice } from "./generate/dice.ts";
import { jsonFile } from "./generate/json-file.ts";
import { tomlFile } from "./generate/toml-file.ts";
import { yamlFile } from "./generate/yaml-file.ts";
import { yamlRowsFile } from "./generate/yaml-rows-file.ts";
import { makeTestHome, type TestHome } from "./test-home.ts";

export interface WholeHome extends TestHome {
  /** The settings of other programs that moth changes. */
  settings: readonly SettingsFile[];
}

export interface SettingsFile {
  /** Absolute. */
  file: string;
  /** What moth alone would make of it. */
  sample: string;
}

/** @param env more of the environment */
export async function makeWholeHome(env: Record<string, string> = {}): Promise<WholeHome> {
  const home = makeTestHome({ PATH: "", ...env });
  const options = { ...home.options, findPlugin: builtFile };
  const plans = await Promise.all(harnesses.map((harness) => harness.planHook(options)));
  const settings = plans.flatMap(({ changes }) =>
    changes.filter(({ own }) => !own).map(({ file, after }) => ({ file, sample: String(after) })),
  );
  return { ...home, options, settings };
}

/** As the command finds it: these tests run what is built. */
function builtFile(specifier: string): string {
  return createRequire(new URL("../../cli/package.json", import.meta.url)).resolve(specifier);
}

/** A program of each harness that says its version. @returns a PATH on which they, and the system's, are found */
export function installPrograms(home: string): string {
  const bin = join(home, "bin");
  mkdirSync(bin, { recursive: true });
  for (const { program } of harnesses) {
    const [name, text] =
      process.platform === "win32" ? [`${program}.CMD`, "@echo 9.8.7\r\n"] : [program, "#!/bin/sh\necho 9.8.7\n"];
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  return [bin, "/usr/bin", "/bin"].join(delimiter);
}

/** Settings that were there before moth: odd ones, closed ones, linked ones; for some harnesses none. */
export function writeSettings(dice: Dice, home: string, settings: readonly SettingsFile[]): void {
  for (const [index, { file, sample }] of settings.entries()) {
    if (dice.once(5)) continue;
    const linked = dice.once(4);
    const real = linked ? join(home, "dotfiles", `${index}${extname(file)}`) : file;
    mkdirSync(dirname(file), { recursive: true });
    mkdirSync(dirname(real), { recursive: true });
    writeFileSync(real, (dice.once(5) ? "\uFEFF" : "") + textFor(dice, file, sample));
    chmodSync(real, dice.pick([0o600, 0o644, 0o664, 0o640]));
    if (linked) symlinkSync(relative(dirname(file), real), file);
  }
}

function textFor(dice: Dice, file: string, sample: string): string {
  switch (extname(file)) {
    case ".json":
    case ".jsonc": {
      const entries = new Map(["Stop", "SessionStart", "PreToolUse"].map((event) => [event, { type: "command" }]));
      return jsonFile(dice, { table: { entries, isOurs: () => false } });
    }
    case ".yaml":
    case ".yml":
      return sample.startsWith("- ")
        ? yamlRowsFile(dice)
        : yamlFile(dice, { file, block: "plugins", list: "enabled", word: "moth" });
    case ".toml":
      return tomlFile(dice);
    default:
      throw new Error(`there is no generator of settings like ${file}`);
  }
}

/** Everything below a folder: modes, bytes, links. @param own with moth's own folder and its backups, which else are left out */
export function snapshot(folder: string, own = false): Record<string, string> {
  const all: Record<string, string> = {};
  const walk = (inner: string): void => {
    for (const entry of readdirSync(inner, { withFileTypes: true })) {
      const path = join(inner, entry.name);
      const name = relative(folder, path);
      if (!own && (name === ".moth" || name.includes(".bak-moth-"))) continue;
      const mode = (lstatSync(path).mode & 0o7777).toString(8);
      if (entry.isSymbolicLink()) all[name] = `-> ${readlinkSync(path)}`;
      else all[name] = entry.isDirectory() ? `${mode} folder` : `${mode} ${readFileSync(path, "latin1")}`;
      if (entry.isDirectory()) walk(path);
    }
  };
  walk(folder);
  return all;
}
