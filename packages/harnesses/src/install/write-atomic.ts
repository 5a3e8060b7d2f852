import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Replaces a file in one step: whoever reads it sees the old contents or the new, never half. Modes and owner stay.
 * Own code because the packages for it catch the process's signals when they are loaded, which a server must not let them.
 * @param file no link: a rename would put a plain file in its place
 * @param mode permission bits; the file's own, else the system's default for new files
 */
export function writeAtomic(file: string, bytes: Buffer, mode?: number): void {
  const old = statSync(file, { throwIfNoEntry: false });
  const bits = mode ?? (old && old.mode & 0o7777);
  const temporary = join(dirname(file), temporaryName(file));
  try {
    const handle = openSync(temporary, "wx", bits ?? 0o666);
    try {
      writeFileSync(handle, bytes);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    if (old && process.platform !== "win32" && (old.uid !== process.getuid?.() || old.gid !== process.getgid?.())) {
      chownSync(temporary, old.uid, old.gid);
    }
    if (bits !== undefined) chmodSync(temporary, bits);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** For a file with several names, which a new file under one of them would part. Whoever reads it just then may see half. */
export function writeInPlace(file: string, bytes: Buffer): void {
  const handle = openSync(file, "r+");
  try {
    writeFileSync(handle, bytes);
    ftruncateSync(handle, bytes.length);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function temporaryName(file: string): string {
  return `.${basename(file)}.${process.pid}-${Date.now().toString(36)}.tmp`;
}

/** The process that wrote a file's new contents under this name. @returns undefined for any other name */
export function temporaryOwner(name: string, file: string): number | undefined {
  const start = `.${basename(file)}.`;
  const pid = name.startsWith(start) ? /^(\d+)-[\da-z]+\.tmp$/.exec(name.slice(start.length))?.[1] : undefined;
  return pid === undefined ? undefined : Number(pid);
}
