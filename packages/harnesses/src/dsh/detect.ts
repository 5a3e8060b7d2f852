import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";
import { findProgram } from "../install/find-program.ts";
import { installedVersion } from "../install/package-version.ts";
import type { Detection } from "../types.ts";

export async function detect(env: Env): Promise<Detection> {
  const configDir = dshHome(env);
  const program = findProgram(env, "dsh");
  const version = program && (await installedVersion(env, program, "@deepseek-ai/dsh"));
  return {
    found: program !== undefined || existsSync(configDir),
    ...(program && { program }),
    ...(version && { version }),
    configDir,
  };
}

/** dsh's one folder: `DSH_HOME`, in which `~` is the home folder and white space alone counts as nothing, else `~/.dsh` (0.1.0-rc.8). */
export function dshHome(env: Env): string {
  const given = env["DSH_HOME"];
  if (!given?.trim()) return join(userHome(env), ".dsh");
  return resolve(given.replace(/^~(?=$|[\\/])/, () => userHome(env)));
}
