import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";
import { findProgram } from "../install/find-program.ts";
import { installedVersion } from "../install/package-version.ts";
import type { Detection } from "../types.ts";

export async function detect(env: Env): Promise<Detection> {
  const configDir = agentDir(env);
  const program = findProgram(env, "omp");
  const version = program && (await installedVersion(env, program, "@oh-my-pi/pi-coding-agent"));
  return {
    found: program !== undefined || existsSync(configDir),
    ...(program && { program }),
    ...(version && { version }),
    configDir,
  };
}

/** omp's folder (18.2.3). A profile comes before `PI_CODING_AGENT_DIR`. */
export function agentDir(env: Env): string {
  const given = env["PI_CODING_AGENT_DIR"];
  return given && profile(env) === undefined ? resolve(given) : join(configRoot(env), "agent");
}

/** `~/.omp`. `PI_CONFIG_DIR` is taken as it stands and always lies in the home folder, even when it looks absolute (18.2.3). */
export function configRoot(env: Env): string {
  const root = join(userHome(env), env["PI_CONFIG_DIR"] || ".omp");
  const name = profile(env);
  return name === undefined ? root : join(root, "profiles", name);
}

function profile(env: Env): string | undefined {
  const name = (env["OMP_PROFILE"] ?? env["PI_PROFILE"])?.trim();
  // omp refuses to start with any other name.
  return name && name !== "default" && /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name) ? name : undefined;
}
