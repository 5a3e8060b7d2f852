import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "@moth-companion/core/paths";
import { PlanError } from "../install/plan-error.ts";
import { planPluginFile, type PluginFile } from "../install/plugin-file.ts";
import { readBytes } from "../install/text-file.ts";
import type { InstallOptions, Plan } from "../types.ts";
import { agentDir, configRoot } from "./detect.ts";

/** omp loads every file of `extensions/`, its own and the project's; of two with one name it loads one (18.2.3). */
export function pluginFile({ env, project, profile }: InstallOptions): PluginFile {
  const folder = project === undefined ? agentDir(profileEnv(env, profile)) : join(project, ".omp");
  return { harness: "omp", file: join(folder, "extensions", "moth.js"), plugin: "@moth-companion/pi/moth.js" };
}

/** An environment with that profile. @throws PlanError when there is none of that name */
function profileEnv(env: Env, profile: string | undefined): Env {
  if (profile === undefined) return env;
  const chosen = { ...env, OMP_PROFILE: profile };
  const folder = configRoot(chosen);
  if (profile !== "default" && (folder === configRoot({ ...env, OMP_PROFILE: "default" }) || !existsSync(folder)))
    throw new PlanError("UNEXPECTED", `omp has no profile "${profile}". Start it once: OMP_PROFILE=${profile} omp`, {
      file: folder,
    });
  return chosen;
}

/** @throws PlanError */
export async function planHook(options: InstallOptions): Promise<Plan> {
  const plan = await planPluginFile(options, pluginFile(options));
  const notes = plan.changes.length === 0 ? [] : ["An omp that runs loads it at its next start."];
  return { ...plan, notes, again: () => planHook(options) };
}

/** The list that names the package, as `omp install @moth-companion/pi` leaves it. */
export function otherWays({ env }: InstallOptions): string[] {
  const file = join(configRoot(env), "plugins", "package.json");
  try {
    const { dependencies } = JSON.parse(readBytes(file)?.toString("utf8") ?? "{}") as { dependencies?: Record<string, unknown> };
    return dependencies?.["@moth-companion/pi"] === undefined ? [] : [file];
  } catch {
    return [];
  }
}
