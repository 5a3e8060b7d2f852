import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Env } from "@moth-companion/core/paths";
import { programVersion } from "./find-program.ts";

/** Folders above a program in which its package may be described. */
const MAX_STEPS = 4;

/**
 * The version of a program that npm may have installed, from its package's own description: to run it may take seconds or write into the
 * person's home. Where there is no such package, the program is asked.
 * @param name the npm package's
 */
export async function installedVersion(env: Env, program: string, name: string): Promise<string | undefined> {
  return packageVersion(program, name) ?? (await programVersion(env, program));
}

/** @returns undefined when the program is none of that package's, or a script in its place */
export function packageVersion(program: string, name: string): string | undefined {
  try {
    let folder = dirname(realpathSync(program));
    for (let step = 0; step < MAX_STEPS; step++, folder = dirname(folder)) {
      const version = versionIn(join(folder, "package.json"), name);
      if (version !== undefined) return version;
    }
  } catch {
    // Gone, or not to be read.
  }
  return undefined;
}

function versionIn(file: string, name: string): string | undefined {
  try {
    const described = JSON.parse(readFileSync(file, "utf8")) as { name?: unknown; version?: unknown } | null;
    return described?.name === name && typeof described.version === "string" ? described.version : undefined;
  } catch {
    return undefined;
  }
}
