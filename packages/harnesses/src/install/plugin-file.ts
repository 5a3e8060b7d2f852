/** For harnesses that load every file of a folder: moth's plugin is one file in it, known by its first line. */
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { FileChange, Health, InstallOptions, Plan } from "../types.ts";
import { ledgerChange, type Note, readLedger } from "./ledger.ts";
import { PlanError } from "./plan-error.ts";
import { readBytes } from "./text-file.ts";

export interface PluginFile {
  /** The harness's id. */
  harness: string;
  /** Where it goes: absolute, in the folder the harness loads from. */
  file: string;
  /** The built file, as {@link InstallOptions.findPlugin} takes it. */
  plugin: string;
}

/** Puts the plugin in its place, or a newer one over an older one. @throws PlanError when somebody else's file is there */
export async function planPluginFile(options: InstallOptions, target: PluginFile): Promise<Plan> {
  const { harness, file } = target;
  const before = readBytes(file);
  if (before && !isOurs(before, target)) {
    const message = `${file} is not moth's, so moth leaves it alone. Give it another name and try again.`;
    throw new PlanError("UNEXPECTED", message, { file });
  }
  const after = readFileSync(options.findPlugin(target.plugin));
  const changes: (FileChange | undefined)[] = [];
  if (!before?.equals(after)) {
    const known = readLedger(options.env)[file];
    const note: Note = { harness, created: true, folders: known?.folders ?? missingFolders(file), made: {} };
    changes.push(ledgerChange(options.env, file, note));
    changes.push({
      file,
      before,
      after,
      mode: 0o644,
      own: true,
      summary: before ? "replaces moth's plugin" : "adds moth's plugin",
    });
  }
  return {
    harness,
    action: "hook",
    changes: changes.filter((change) => change !== undefined),
    notes: [],
    again: () => planPluginFile(options, target),
  };
}

/** Takes the plugin away, and the folders that were made for it. */
export async function planNoPluginFile(options: InstallOptions, target: PluginFile): Promise<Plan> {
  const { harness, file } = target;
  const before = readBytes(file);
  const note = readLedger(options.env)[file];
  const changes: (FileChange | undefined)[] = [];
  if (before && isOurs(before, target)) {
    changes.push({ file, before, after: undefined, own: true, summary: "removes moth's plugin" });
    changes.push(ledgerChange(options.env, file, undefined));
  }
  return {
    harness,
    action: "unhook",
    changes: changes.filter((change) => change !== undefined),
    folders: note?.folders ?? [],
    notes: [],
    again: () => planNoPluginFile(options, target),
  };
}

/** @param others settings files that name the plugin a second time */
export function pluginFileHealth(options: InstallOptions, target: PluginFile, others: readonly string[]): Health {
  const { harness, file } = target;
  let bytes: Buffer | undefined;
  try {
    bytes = readBytes(file);
  } catch (error) {
    return { status: "broken", where: [], problem: (error as Error).message };
  }
  const ours = bytes !== undefined && isOurs(bytes, target);
  const where = [...(ours ? [file] : []), ...others];
  if (where.length > 1) {
    const advice = `Keep one: \`moth unhook ${harness}\` removes the file, the harness's own command the package.`;
    return { status: "duplicate", where, problem: "moth's plugin is loaded twice.", advice };
  }
  if (bytes && !ours) {
    const problem = `${file} is another program's, where moth's plugin belongs.`;
    return { status: "overwritten", where: [], problem, advice: `Give that file another name, then: moth hook ${harness}` };
  }
  if (where.length === 0) return { status: "not-installed", where };
  if (ours && !bytes?.equals(readFileSync(options.findPlugin(target.plugin)))) {
    return { status: "outdated", where, problem: "moth's plugin is of another version.", advice: `moth hook ${harness}` };
  }
  return { status: "installed", where };
}

/** By the name of the package in its first line, which is the same in every version. */
function isOurs(bytes: Buffer, { plugin }: PluginFile): boolean {
  const [scope, name] = plugin.split("/");
  return bytes.subarray(0, 200).toString("latin1").startsWith(`// ${scope}/${name}:`);
}

/** The folders that will be made for a file, innermost first. */
function missingFolders(file: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(file); !existsSync(folder); folder = dirname(folder)) folders.push(folder);
  return folders;
}
