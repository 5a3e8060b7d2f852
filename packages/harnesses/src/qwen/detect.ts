import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";
import { findProgram } from "../install/find-program.ts";
import { installedVersion } from "../install/package-version.ts";
import type { Detection } from "../types.ts";

export const FOLDER = ".qwen";

/** The folder of the person's settings: `QWEN_HOME`, in which `~` is the home folder (0.24.4), else `~/.qwen`. */
export function configDir(env: Env): string {
  const given = env["QWEN_HOME"];
  if (!given) return join(userHome(env), FOLDER);
  return resolve(given.replace(/^~(?=$|[\\/])/, userHome(env)));
}

export async function detect(env: Env): Promise<Detection> {
  const folder = configDir(env);
  const program = findProgram(env, "qwen");
  const version = program && (await installedVersion(env, program, "@qwen-code/qwen-code"));
  return {
    found: program !== undefined || existsSync(folder),
    ...(program !== undefined && { program }),
    ...(version && { version }),
    configDir: folder,
  };
}
