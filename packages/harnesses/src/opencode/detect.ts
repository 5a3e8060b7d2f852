import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";
import { findProgram } from "../install/find-program.ts";
import { installedVersion } from "../install/package-version.ts";
import type { Detection } from "../types.ts";
import type { Variant } from "./variant.ts";

/** `$XDG_CONFIG_HOME/<folder>`, on every system. Always read, whatever {@link configDir} is (1.18.33, Kilo 7.7.7). */
export function globalDir(env: Env, { folder }: Variant): string {
  return join(resolve(env["XDG_CONFIG_HOME"] || join(userHome(env), ".config")), folder);
}

/** The folder of the person's settings: `OPENCODE_CONFIG_DIR` or `KILO_CONFIG_DIR`, else the global one. */
export function configDir(env: Env, variant: Variant): string {
  const given = env[`${variant.prefix}_CONFIG_DIR`];
  return given ? resolve(given) : globalDir(env, variant);
}

export async function detect(env: Env, variant: Variant): Promise<Detection> {
  const home = userHome(env);
  const folder = configDir(env, variant);
  // Where its own installation script and Bun put it.
  const places = [...variant.dotFolders, ".bun"].map((dotFolder) => join(home, dotFolder, "bin", variant.program));
  const program = findProgram(env, variant.program, places);
  // Run for its version, it makes its folders (1.18.33).
  const version = program === undefined ? undefined : await installedVersion(env, program, variant.package);
  return {
    found: program !== undefined || existsSync(folder),
    ...(program !== undefined && { program }),
    ...(version !== undefined && { version }),
    configDir: folder,
  };
}
