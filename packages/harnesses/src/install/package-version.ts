import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** Folders above a program in which its package may be described. */
const MAX_STEPS = 4;

/**
 * The version of a program that npm has installed, from its package's own description: without running it, which may take seconds or
 * write into the person's home.
 * @param name the npm package's
 * @returns undefined when the program is none of that package's, or a script in its place
 */
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
