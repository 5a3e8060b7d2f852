import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";
import { findProgram, programVersion } from "../install/find-program.ts";
import type { Detection } from "../types.ts";

/** The name of its terminal program; it is installed as `agent` as well, which others are called, too. */
export const PROGRAM = "cursor-agent";

export async function detect(env: Env): Promise<Detection> {
  const configDir = cursorHome(env);
  const program = findProgram(env, PROGRAM, [join(userHome(env), ".local", "bin", PROGRAM)]);
  const version = program && (await programVersion(env, program));
  return {
    found: program !== undefined || existsSync(configDir),
    ...(program && { program }),
    ...(version && { version }),
    configDir,
  };
}

export function cursorHome(env: Env): string {
  return join(userHome(env), ".cursor");
}
