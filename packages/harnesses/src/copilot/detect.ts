import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";
import { findProgram, programVersion } from "../install/find-program.ts";
import type { Detection } from "../types.ts";

/** Copilot's folder: `COPILOT_HOME`, else `~/.copilot` (1.0.102). */
export function copilotHome(env: Env): string {
  const given = env["COPILOT_HOME"];
  return given ? resolve(given) : join(userHome(env), ".copilot");
}

export async function detect(env: Env): Promise<Detection> {
  const configDir = copilotHome(env);
  const program = findProgram(env, "copilot", [join(userHome(env), ".local", "bin", "copilot")]);
  const version = program && (await programVersion({ ...env, COPILOT_AUTO_UPDATE: "false" }, program));
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
