/** moth's two plugins: one as a file in the folder the harness loads plugins from, and one that draws in its window. */
import { join } from "node:path";
import { mothHome } from "@moth-companion/core/paths";
import { ledgerChanges, ledgerFile, ledgerRemoval, type Note, notedFiles } from "../install/ledger.ts";
import { PlanError } from "../install/plan-error.ts";
import { planNoPluginFile, pluginChange, type PluginFile, pluginFileHealth } from "../install/plugin-file.ts";
import type { FileChange, Health, InstallOptions, Plan } from "../types.ts";
import { configDir } from "./detect.ts";
import { otherWays } from "./other-ways.ts";
import type { Variant } from "./variant.ts";
import { otherWindows, windowChanges, windowPlace, windowRemoval, windowTrouble } from "./window.ts";

const PLUGIN = "@moth-companion/opencode/moth.js";

export function pluginFile({ env, project }: InstallOptions, variant: Variant): PluginFile {
  const folder = project === undefined ? configDir(env, variant) : join(project, variant.dotFolders[0]);
  return { harness: variant.id, file: join(folder, "plugins", "moth.js"), plugin: PLUGIN };
}

/** @throws PlanError */
export function planHook(options: InstallOptions, variant: Variant): Promise<Plan> {
  return Promise.resolve().then(() => {
    const target = pluginFile(options, variant);
    const server = pluginChange(options, target);
    const window = windowChanges(options, windowPlace(target));
    const changes: (FileChange | undefined)[] = [server?.change, ...window.changes];
    const notes: Record<string, Note> = { ...window.notes, ...(server && { [target.file]: server.note }) };
    if (Object.keys(notes).length > 0) changes.unshift(ledgerChanges(options.env, notes));
    const planned = changes.filter((change) => change !== undefined);
    return {
      harness: variant.id,
      action: "hook",
      changes: planned,
      notes: planned.length === 0 ? [] : [`Start ${variant.name} anew: it loads plugins only at its start.`],
      again: () => planHook(options, variant),
    };
  });
}

/** @throws PlanError */
export async function planUnhook(options: InstallOptions, variant: Variant): Promise<Plan> {
  const { env, project } = options;
  const target = pluginFile(options, variant);
  const own = windowPlace(target);
  const server = await planNoPluginFile(options, target);
  const windows = [windowRemoval(options, own)];
  const forgotten = [target.file, own.list.file, ...(project === undefined ? notedFiles(env, variant.id, target.file) : [])];
  const notes = [...server.notes];
  for (const other of project === undefined ? otherWindows(options, variant.id, own) : []) {
    try {
      windows.push(windowRemoval(options, other));
      forgotten.push(other.list.file);
    } catch (error) {
      // One project that cannot be changed must not keep moth in all the rest.
      if (!(error instanceof PlanError)) throw error;
      notes.push(`moth stays in ${other.list.file}: ${error.message}`);
    }
  }
  const files = server.changes.filter(({ file }) => file !== ledgerFile(mothHome(env)));
  const changes = [...windows.flatMap((window) => window.changes), ...files, ledgerRemoval(env, forgotten)];
  return {
    ...server,
    changes: changes.filter((change) => change !== undefined),
    folders: [...(server.folders ?? []), ...windows.flatMap(({ folders }) => folders)],
    notes,
    again: () => planUnhook(options, variant),
  };
}

export function health(options: InstallOptions, variant: Variant): Promise<Health> {
  return Promise.resolve().then(() => {
    const target = pluginFile(options, variant);
    const place = windowPlace(target);
    const server = pluginFileHealth(options, target, otherWays(options, variant, target.file));
    // Loaded in another way, it is not for moth to say what belongs to it.
    if (server.status !== "installed" || !server.where.includes(target.file)) return server;
    const where = [target.file, place.list.file, ...server.where.slice(1)];
    return { ...server, where, ...windowTrouble(options, variant.id, place) };
  });
}
