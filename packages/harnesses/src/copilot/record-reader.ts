import { closeSync, openSync, readSync, statSync } from "node:fs";

/** Bytes that are read at once at most: of a longer stretch the beginning is left out. */
const MAX_BYTES = 1024 * 1024;

/** Follows a record as it grows. */
export interface RecordReader {
  /**
   * The whole lines that came since the last call.
   * @returns `anew`: the record begins anew, at the first call and when Copilot took something back: what was read before does not count
   */
  next(): { text: string; anew: boolean } | undefined;
}

/** @param file need not be there; then there is nothing to read */
export function openRecord(file: string): RecordReader {
  let place = 0;
  let inode = 0;
  return {
    next() {
      try {
        const stat = statSync(file);
        if (!stat.isFile()) return undefined;
        const anew = stat.ino !== inode || stat.size < place;
        if (anew) place = 0;
        inode = stat.ino;
        if (stat.size === place) return { text: "", anew };
        const from = Math.max(place, stat.size - MAX_BYTES);
        const bytes = read(file, from, stat.size - from);
        const whole = bytes.lastIndexOf(0x0a) + 1;
        place = from + whole;
        return { text: bytes.toString("utf8", 0, whole), anew };
      } catch {
        return undefined;
      }
    },
  };
}

function read(file: string, from: number, length: number): Buffer {
  const handle = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(handle, bytes, 0, length, from));
  } finally {
    closeSync(handle);
  }
}
