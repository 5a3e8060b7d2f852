import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";
import { findProgram, programVersion } from "../install/find-program.ts";
import type { Detection } from "../types.ts";

/** The folder of the person's settings: `CODEX_HOME`, which Codex takes as a path from where it is started, else `~/.codex`. */
export function configDir(env: Env): string {
  return env["CODEX_HOME"] ? resolve(env["CODEX_HOME"]) : join(userHome(env), ".codex");
}

export function configFile({ env }: { env: Env }): string {
  return join(configDir(env), "config.toml");
}

export function findCodex(env: Env): string | undefined {
  return findProgram(env, "codex", [join(userHome(env), ".local", "bin", "codex")]);
}

export async function detect(env: Env): Promise<Detection> {
  const folder = configDir(env);
  const program = findCodex(env);
  const version = program === undefined ? undefined : await programVersion(env, program);
  return {
    found: program !== undefined || existsSync(folder),
    ...(program !== undefined && { program }),
    ...(version !== undefined && { version }),
    configDir: folder,
  };
}
