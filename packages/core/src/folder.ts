import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and those it is in. Step by step: Node's own way to make several at once never ends where none can be made and
 * each is said not to be there, as in Linux's `/proc` (Node 20 to 24).
 * @param mode permission bits of the new ones
 * @throws the system's error
 */
export function makeFolder(folder: string, mode?: number): void {
  const missing: string[] = [];
  for (let path = folder; !existsSync(path) && dirname(path) !== path; path = dirname(path)) missing.unshift(path);
  for (const path of missing) {
    try {
      mkdirSync(path, mode);
    } catch (error) {
      // Another moth was faster.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !existsSync(path)) throw error;
    }
  }
}
