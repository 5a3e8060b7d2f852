import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";
import { findProgram } from "../install/find-program.ts";
import { installedVersion } from "../install/package-version.ts";
import type { Detection } from "../types.ts";

export async function detect(env: Env): Promise<Detection> {
  const configDir = agentDir(env);
  const program = findProgram(env, "pi");
  const version = program && (await installedVersion({ ...env, PI_OFFLINE: "1" }, program, "@earendil-works/pi-coding-agent"));
  return {
    found: program !== undefined || existsSync(configDir),
    ...(program && { program }),
    ...(version && { version }),
    configDir,
  };
}

/** Pi's folder: `PI_CODING_AGENT_DIR`, in which `~` is the home folder, else `~/.pi/agent` (1.6.0). */
export function agentDir(env: Env): string {
  const given = env["PI_CODING_AGENT_DIR"];
  if (!given) return join(userHome(env), ".pi", "agent");
  if (given === "~" || /^~[\\/]/.test(given)) return join(userHome(env), given.slice(1));
  return isAbsolute(given) ? given : resolve(given);
}
