import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";
import { findProgram } from "../install/find-program.ts";
import { installedVersion } from "../install/package-version.ts";
import type { Detection } from "../types.ts";

/** Copilot's folder: `COPILOT_HOME`, else `~/.copilot` (1.0.102). */
export function copilotHome(env: Env): string {
  const given = env["COPILOT_HOME"];
  return given ? resolve(given) : join(userHome(env), ".copilot");
}

export async function detect(env: Env): Promise<Detection> {
  const configDir = copilotHome(env);
  const program = findProgram(env, "copilot", [join(userHome(env), ".local", "bin", "copilot")]);
  // Run for its version, it unpacks itself into the person's cache (1.0.102).
  const version = program && (await installedVersion({ ...env, COPILOT_AUTO_UPDATE: "false" }, program, "@github/copilot"));
  return {
    found: program !== undefined || existsSync(configDir),
    ...(program && { program }),
    ...(version && { version }),
    configDir,
  };
}

/** moth's file among those in the folder of hooks. */
export const HOOK_FILE = "moth.json";

/** Every `*.json` in it is read (1.0.102). */
export function hookFolder(env: Env): string {
  return join(copilotHome(env), "hooks");
}
