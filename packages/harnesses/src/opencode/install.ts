/** moth's plugin as one file in the folder the harness loads plugins from. */
import { join } from "node:path";
import { planNoPluginFile, planPluginFile, type PluginFile, pluginFileHealth } from "../install/plugin-file.ts";
import type { Health, InstallOptions, Plan } from "../types.ts";
import { configDir } from "./detect.ts";
import { otherWays } from "./other-ways.ts";
import type { Variant } from "./variant.ts";

const PLUGIN = "@moth-companion/opencode/moth.js";

export function pluginFile({ env, project }: InstallOptions, variant: Variant): PluginFile {
  const folder = project === undefined ? configDir(env, variant) : join(project, variant.dotFolders[0]);
  return { harness: variant.id, file: join(folder, "plugins", "moth.js"), plugin: PLUGIN };
}

/** @throws PlanError */
export async function planHook(options: InstallOptions, variant: Variant): Promise<Plan> {
  const plan = await planPluginFile(options, pluginFile(options, variant));
  const notes = plan.changes.length === 0 ? [] : [`Start ${variant.name} anew: it loads plugins only at its start.`];
  return { ...plan, notes, again: () => planHook(options, variant) };
}

/** @throws PlanError */
export function planUnhook(options: InstallOptions, variant: Variant): Promise<Plan> {
  return planNoPluginFile(options, pluginFile(options, variant));
}

export function health(options: InstallOptions, variant: Variant): Promise<Health> {
  const target = pluginFile(options, variant);
  return Promise.resolve().then(() => pluginFileHealth(options, target, otherWays(options, variant, target.file)));
}
