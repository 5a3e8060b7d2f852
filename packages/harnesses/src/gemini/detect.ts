import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";
import { findProgram } from "../install/find-program.ts";
import { installedVersion } from "../install/package-version.ts";
import type { Detection } from "../types.ts";

export const FOLDER = ".gemini";

/** The folder of the person's settings: in `GEMINI_CLI_HOME`, which takes the home folder's place (0.61.0), else in the home folder. */
export function configDir(env: Env): string {
  return join(env["GEMINI_CLI_HOME"] ? resolve(env["GEMINI_CLI_HOME"]) : userHome(env), FOLDER);
}

export async function detect(env: Env): Promise<Detection> {
  const folder = configDir(env);
  const program = findProgram(env, "gemini");
  // Run for its version, it takes seconds and writes into its folder.
  const version = program && (await installedVersion(env, program, "@google/gemini-cli"));
  // The folder alone tells nothing: other programs of the same maker keep theirs in it.
  return {
    found: program !== undefined || existsSync(join(folder, "settings.json")),
    ...(program !== undefined && { program }),
    ...(version && { version }),
    configDir: folder,
  };
}
