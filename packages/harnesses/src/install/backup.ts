/** Copies of a person's files, made beside them before they are changed, and taken away once nobody can need them. */
import { lstatSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readBytes } from "./text-file.ts";

const STAMP = /^\.bak-moth-\d{8}T\d{9}Z(-\d+)?$/;

/**
 * A copy beside the file itself, as closed to others as that is: behind links, since beside a link it may lie where others read, or in a
 * repository that is published.
 * @param target no link
 */
export function backUp(target: string, bytes: Buffer): string {
  const mode = modeOf(target);
  const stamp = new Date().toISOString().replace(/[-:]/g, "").replace(".", "");
  for (let count = 0; ; count++) {
    const backup = `${target}.bak-moth-${stamp}${count > 0 ? `-${count}` : ""}`;
    try {
      writeFileSync(backup, bytes, { flag: "wx", mode });
      return backup;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || count > 99) throw error;
    }
  }
}

/** The copy of these contents: one that is there already, so that they do not pile up, or a new one. */
export function keepCopy(target: string, bytes: Buffer): string {
  const mode = modeOf(target);
  return copiesOf(target, bytes).find((copy) => modeOf(copy) === mode) ?? backUp(target, bytes);
}

/** The copies that hold exactly these contents, of the file and of a link that leads to it. */
export function copiesOf(file: string, bytes: Buffer): string[] {
  try {
    return readdirSync(dirname(file))
      .filter((name) => name.startsWith(basename(file)) && STAMP.test(name.slice(basename(file).length)))
      .map((name) => join(dirname(file), name))
      .filter((copy) => lstatSync(copy).isFile() && readBytes(copy)?.equals(bytes) === true)
      .toSorted();
  } catch {
    // A folder that cannot be read, or a copy that went meanwhile: as if there were none.
    return [];
  }
}

/** Takes copies away. One that cannot go stays: it does no harm. */
export function dropCopies(copies: readonly string[]): void {
  for (const copy of copies) {
    try {
      rmSync(copy, { force: true });
    } catch {
      // It stays.
    }
  }
}

function modeOf(file: string): number {
  return statSync(file).mode & 0o777;
}
