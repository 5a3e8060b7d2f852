import { join, resolve } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";

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
