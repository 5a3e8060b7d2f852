import { join } from "node:path";
import { planPluginFile, type PluginFile } from "../install/plugin-file.ts";
import { readBytes } from "../install/text-file.ts";
import type { InstallOptions, Plan } from "../types.ts";
import { agentDir } from "./detect.ts";

/** Pi loads every file of `extensions/`; a project's only where the person trusts the project (1.6.0). */
export function pluginFile(options: InstallOptions): PluginFile {
  return { harness: "pi", file: join(folder(options), "extensions", "moth.js"), plugin: "@moth-companion/pi/moth.js" };
}

/** @throws PlanError */
export async function planHook(options: InstallOptions): Promise<Plan> {
  const plan = await planPluginFile(options, pluginFile(options));
  const news = "In a Pi that runs, type /reload.";
  const trust = "Pi loads a project's extensions only where you trust the project.";
  const notes = plan.changes.length === 0 ? [] : [news, ...(options.project === undefined ? [] : [trust])];
  return { ...plan, notes, again: () => planHook(options) };
}

/** The settings file that names the package, as `pi install npm:@moth-companion/pi` leaves it: a text, or an object with a `source`. */
export function otherWays(options: InstallOptions): string[] {
  const file = join(folder(options), "settings.json");
  try {
    const { packages } = JSON.parse(readBytes(file)?.toString("utf8") ?? "{}") as { packages?: unknown };
    return JSON.stringify(packages ?? []).match(/"npm:@moth-companion\/pi(?:@[^"]*)?"/) ? [file] : [];
  } catch {
    return [];
  }
}

function folder({ env, project }: InstallOptions): string {
  return project === undefined ? agentDir(env) : join(project, ".pi");
}
