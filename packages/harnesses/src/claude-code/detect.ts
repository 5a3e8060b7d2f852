import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";
import { findProgram } from "../install/find-program.ts";
import { installedVersion } from "../install/package-version.ts";
import type { Detection } from "../types.ts";

/**
 * The folder of the person's settings. `CLAUDE_CONFIG_DIR` is taken literally, as Claude Code does (2.1.332): `~` is no home, a
 * relative path and an empty value hang from the folder it is started in.
 */
export function configDir(env: Env): string {
  const given = env["CLAUDE_CONFIG_DIR"];
  return given === undefined ? join(userHome(env), ".claude") : resolve(given);
}

/** Whether the settings' place depends on where Claude Code is started. */
export function isConfigDirLoose(env: Env): boolean {
  const given = env["CLAUDE_CONFIG_DIR"];
  return given !== undefined && resolve(given) !== given.replace(/(?<=.)[\\/]+$/, "");
}

export async function detect(env: Env): Promise<Detection> {
  const home = userHome(env);
  const folder = configDir(env);
  const program = findProgram(env, "claude", [join(home, ".local", "bin", "claude"), join(home, ".claude", "local", "claude")]);
  const version = program === undefined ? undefined : await installedVersion(env, program, "@anthropic-ai/claude-code");
  return {
    found: program !== undefined || existsSync(folder),
    ...(program !== undefined && { program }),
    ...(version !== undefined && { version }),
    configDir: folder,
  };
}
