import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";
import { findProgram } from "../install/find-program.ts";
import { installedVersion } from "../install/package-version.ts";
import type { Detection } from "../types.ts";
import { configDir } from "./config-dir.ts";

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
