/** For harnesses that load every file of a folder: moth's plugin is one file in it, known by its first line. */
import { readFileSync } from "node:fs";
import type { FileChange, Health, InstallOptions, Plan } from "../types.ts";
import { missingFolders } from "./folders.ts";
import { fingerprint, ledgerChange, ledgerRemoval, type Note, notedFiles, readLedger } from "./ledger.ts";
import { PlanError } from "./plan-error.ts";
import { readBytes } from "./text-file.ts";

export interface PluginFile {
  /** The harness's id. */
  harness: string;
  /** Where it goes: absolute, in the folder the harness loads from. */
  file: string;
  /** The built file, as {@link InstallOptions.findPlugin} takes it. */
  plugin: string;
  /** The file by which moth notes it, when it is another one that comes and goes with it. */
  notedBy?: string;
}

/** Puts the plugin in its place, or a newer one over an older one. @throws PlanError when somebody else's file is there */
export async function planPluginFile(options: InstallOptions, target: PluginFile): Promise<Plan> {
  const { harness, file } = target;
  const planned = pluginChange(options, target);
  const changes = planned ? [ledgerChange(options.env, file, planned.note), planned.change] : [];
  return {
    harness,
    action: "hook",
    changes: changes.filter((change) => change !== undefined),
    notes: [],
    again: () => planPluginFile(options, target),
  };
}

/**
 * What puts the plugin in its place, and the note of it; nothing when it is there as it should be.
 * @throws PlanError when somebody else's file is there
 */
export function pluginChange(options: InstallOptions, target: PluginFile): { change: FileChange; note: Note } | undefined {
  const { harness, file } = target;
  const before = readBytes(file);
  if (before && !isOurs(before, target)) {
    const message = `${file} is not moth's, so moth leaves it alone. Give it another name and try again.`;
    throw new PlanError("UNEXPECTED", message, { file });
  }
  const missing = missingFolders(file);
  const after = builtFile(options, target);
  if (before?.equals(after)) return undefined;
  const known = readLedger(options.env)[target.notedBy ?? file];
  const note: Note = {
    harness,
    created: true,
    folders: known?.folders ?? missing,
    made: {},
    wrote: fingerprint(after),
    plugin: [fingerprint(after)],
  };
  const change: FileChange = {
    file,
    before,
    after,
    mode: 0o644,
    own: !before || !isEdited(known, before),
    summary: before ? "replaces moth's plugin" : "adds moth's plugin",
  };
  return { change, note };
}

/**
 * Takes the plugin away, and the folders that were made for it: the person's with every project's that was noted, or one project's.
 * @throws PlanError
 */
export async function planNoPluginFile(options: InstallOptions, target: PluginFile): Promise<Plan> {
  const { env } = options;
  const { harness } = target;
  const ledger = readLedger(env);
  const changes: (FileChange | undefined)[] = [];
  const folders: string[] = [];
  const forgotten: string[] = [];
  const notes: string[] = [];
  for (const file of [target.file, ...otherFiles(options, target)]) {
    try {
      const before = readBytes(file);
      const ours = before !== undefined && isOurs(before, target);
      const own = before !== undefined && !isEdited(ledger[target.notedBy ?? file], before);
      if (ours) changes.push({ file, before, after: undefined, own, summary: "removes moth's plugin" });
      forgotten.push(file);
      folders.push(...(ledger[file]?.folders ?? []));
    } catch (error) {
      if (file === target.file || !(error instanceof PlanError)) throw error;
      notes.push(`moth leaves ${file} alone: ${error.message}`);
    }
  }
  changes.push(ledgerRemoval(env, forgotten));
  return {
    harness,
    action: "unhook",
    changes: changes.filter((change) => change !== undefined),
    folders,
    notes,
    again: () => planNoPluginFile(options, target),
  };
}

/** Where the plugin was put into projects and profiles, when none of them is asked for. */
function otherFiles({ env, project, profile }: InstallOptions, { harness, file }: PluginFile): string[] {
  return project === undefined && profile === undefined ? notedFiles(env, harness, file) : [];
}

/** @param others settings files that name the plugin a second time */
export function pluginFileHealth(options: InstallOptions, target: PluginFile, others: readonly string[]): Health {
  const { harness, file } = target;
  let bytes: Buffer | undefined;
  let projects: Map<string, Buffer>;
  try {
    bytes = readBytes(file);
    projects = readOurs(otherFiles(options, target), target);
  } catch (error) {
    return { status: "broken", where: [], problem: (error as Error).message };
  }
  const ours = bytes !== undefined && isOurs(bytes, target);
  const ways = [...(ours ? [file] : []), ...others];
  const where = [...new Set([...ways, ...projects.keys()])];
  if (ways.length > 1) {
    const advice = `Keep one. To remove the file: moth unhook ${harness}. The package goes by the harness's own command.`;
    return { status: "duplicate", where, problem: "moth's plugin is loaded twice.", advice };
  }
  if (bytes && !ours) {
    const problem = `${file} is another program's, where moth's plugin belongs.`;
    return {
      status: "overwritten",
      where: [...projects.keys()],
      problem,
      advice: `Give that file another name, then: moth hook ${harness}`,
    };
  }
  if (where.length === 0) return { status: "not-installed", where };
  const again = `moth hook ${harness}`;
  if (ours && !bytes?.equals(builtFile(options, target))) {
    if (readLedger(options.env)[file]?.wrote === fingerprint(builtFile(options, target)))
      return {
        status: "modified",
        where,
        problem: `${file} is not as moth wrote it.`,
        advice: `To have moth's own back: ${again}`,
      };
    return { status: "outdated", where, problem: "moth's plugin is of another version.", advice: `To have this one: ${again}` };
  }
  const old = [...projects].find(([, text]) => !text.equals(builtFile(options, target)))?.[0];
  if (old !== undefined)
    return {
      status: "outdated",
      where,
      problem: `${old} is of another version.`,
      advice: `To have this one: ${again} --project <that folder>`,
    };
  return { status: "installed", where };
}

/** Whether somebody changed a plugin file of moth's since it was written, as far as is known: their work is kept. */
export function isEdited(note: Note | undefined, bytes: Buffer): boolean {
  return note?.plugin !== undefined && !note.plugin.includes(fingerprint(bytes));
}

export function builtFile({ findPlugin }: InstallOptions, { plugin }: PluginFile): Buffer {
  return readFileSync(findPlugin(plugin));
}

function readOurs(files: readonly string[], target: PluginFile): Map<string, Buffer> {
  const read = files.map((file): [string, Buffer | undefined] => [file, readBytes(file)]);
  return new Map(read.filter((pair): pair is [string, Buffer] => pair[1] !== undefined && isOurs(pair[1], target)));
}

/** By the name of the package in its first line, which is the same in every version. */
export function isOurs(bytes: Buffer, { plugin }: PluginFile): boolean {
  const [scope, name] = plugin.split("/");
  return bytes.subarray(0, 200).toString("latin1").startsWith(`// ${scope}/${name}:`);
}
