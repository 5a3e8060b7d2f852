/** Whether the plugin is loaded by another way than the file `moth hook` puts in. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { userHome } from "@moth-companion/core/paths";
import { type ParseError, parse } from "jsonc-parser";
import { readBytes } from "../install/text-file.ts";
import type { InstallOptions } from "../types.ts";
import { configDir, globalDir } from "./detect.ts";
import type { Variant } from "./variant.ts";

const PACKAGE = "@moth-companion/opencode";

/**
 * Files that load it beside `file`, in all folders that are read at once (1.18.33, Kilo 7.7.7): the global one, the one of the
 * environment, those in the home folder, and the project's.
 */
export function otherWays({ env, project }: InstallOptions, variant: Variant, file: string): string[] {
  const dotFolders = (root: string): string[] => variant.dotFolders.map((name) => join(root, name));
  const folders = [globalDir(env, variant), configDir(env, variant), ...dotFolders(userHome(env))];
  if (project !== undefined) folders.push(...dotFolders(project), project);
  return [...new Set(folders)].flatMap((folder) => [
    ...["plugin", "plugins"].map((name) => join(folder, name, "moth.js")).filter((other) => other !== file && isPlugin(other)),
    ...[`${variant.folder}.json`, `${variant.folder}.jsonc`, "opencode.json", "opencode.jsonc", "config.json"]
      .filter((name, at, names) => names.indexOf(name) === at)
      .map((name) => join(folder, name))
      .filter((settings) => holds(settings, (text) => namesPlugin(text, folder))),
  ]);
}

function holds(file: string, match: (text: string) => boolean): boolean {
  try {
    return existsSync(file) && match(readBytes(file)?.toString("utf8") ?? "");
  } catch {
    // What cannot be read by moth is for its harness to complain about.
    return false;
  }
}

/** Known by its first line, which is the same in every version. */
function isPlugin(file: string): boolean {
  return holds(file, (text) => text.startsWith(`// ${PACKAGE}:`));
}

/** `"plugin"` lists packages, with or without a version, and paths; each alone or with options behind it. */
function namesPlugin(text: string, folder: string): boolean {
  const errors: ParseError[] = [];
  const settings: unknown = parse(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
  if (typeof settings !== "object" || settings === null) return false;
  const { plugin } = settings as { plugin?: unknown };
  if (!Array.isArray(plugin)) return false;
  return plugin.some((entry: unknown) => {
    const spec: unknown = Array.isArray(entry) ? entry[0] : entry;
    if (typeof spec !== "string") return false;
    if (spec === PACKAGE || spec.startsWith(`${PACKAGE}@`)) return true;
    return /\.[jt]s$/.test(spec) && isPlugin(spec.startsWith("file://") ? fileURLToPath(spec) : resolve(folder, spec));
  });
}
