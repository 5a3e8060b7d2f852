import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";
import { findProgram, programVersion } from "../install/find-program.ts";
import type { Detection } from "../types.ts";

export async function detect(env: Env): Promise<Detection> {
  const program = findProgram(env, "agy", [join(userHome(env), ".local", "bin", "agy")]);
  const version = program && (await programVersion(env, program));
  return {
    // Its settings lie in a folder that another program of the same maker has, too.
    found: program !== undefined || existsSync(join(userHome(env), ".gemini", "antigravity-cli")),
    ...(program && { program }),
    ...(version && { version }),
    configDir: configDir(env),
  };
}

export function configDir(env: Env): string {
  return join(userHome(env), ".gemini", "config");
}
