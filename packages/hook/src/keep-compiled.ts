import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { makeFolder } from "@moth-companion/core/folder";

/**
 * Puts compiled code in its place, whole or not at all, and takes away what the same harness has of other versions of the program.
 * Never throws: without it the next process makes the code anew.
 * @param whose how the names of that harness's files begin; @param version the same with the program's version
 */
export function keepCompiled(folder: string, whose: string, version: string, name: string, code: Uint8Array): void {
  const temporary = `${folder}/${whose}${process.pid}`;
  try {
    makeFolder(folder, 0o700);
    const file = openSync(temporary, "wx", 0o600);
    writeFileSync(file, code);
    // Node does not look whether code is what was written: after a power cut it must not be half of it.
    fsyncSync(file);
    closeSync(file);
    renameSync(temporary, `${folder}/${name}`);
    for (const other of readdirSync(folder))
      if (other.startsWith(whose) && !other.startsWith(version)) rmSync(`${folder}/${other}`, { force: true });
  } catch {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // Not even a folder.
    }
  }
}
