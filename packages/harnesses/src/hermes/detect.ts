import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";
import { findProgram, programVersion } from "../install/find-program.ts";
import { readBytes } from "../install/text-file.ts";
import type { Detection } from "../types.ts";

export async function detect(env: Env): Promise<Detection> {
  const configDir = hermesHome(env);
  const program = findProgram(env, "hermes", [join(userHome(env), ".local", "bin", "hermes")]);
  // Told where its home is, so that it makes none.
  const version =
    program && existsSync(configDir) ? await programVersion({ ...env, HERMES_HOME: configDir }, program) : undefined;
  return {
    found: program !== undefined || existsSync(configDir),
    ...(program && { program }),
    ...(version && { version }),
    configDir,
  };
}

/** The folder of the profile a plain `hermes` starts with: `HERMES_HOME`, else the active profile's, else the root (0.19.0). */
export function hermesHome(env: Env): string {
  const given = env["HERMES_HOME"]?.trim();
  if (given) return resolve(given.replace(/^~(?=$|[\\/])/, userHome(env)));
  const root = hermesRoot(env);
  const profile = activeProfile(root);
  return profile === undefined ? root : join(root, "profiles", profile);
}

/** The folder of a profile by its name; `default` is the root. It may not exist. */
export function profileHome(env: Env, profile: string): string {
  const root = hermesRoot(env);
  return profile === "default" ? root : join(root, "profiles", profile);
}

/** `%LOCALAPPDATA%\hermes` on Windows, `~/.hermes` elsewhere. */
function hermesRoot(env: Env): string {
  if (process.platform !== "win32") return join(userHome(env), ".hermes");
  return join(env["LOCALAPPDATA"]?.trim() || join(userHome(env), "AppData", "Local"), "hermes");
}

function activeProfile(root: string): string | undefined {
  try {
    const name = readBytes(join(root, "active_profile"))?.toString("utf8").trim();
    return name !== undefined && /^[\w-]+$/.test(name) && name !== "default" ? name : undefined;
  } catch {
    return undefined;
  }
}
