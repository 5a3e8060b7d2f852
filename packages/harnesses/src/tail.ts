import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";

/** The end of a harness's `.jsonl` recording: at most so many bytes. Undefined when there is none, or something else in its place. */
export function readTail(file: string, bytes: number): string | undefined {
  if (!file.endsWith(".jsonl")) return undefined;
  try {
    // Opening a pipe would already wait for its writer; and a caught error costs a hook more than the question.
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
    const handle = openSync(file, "r");
    try {
      const { size } = fstatSync(handle);
      const buffer = Buffer.alloc(Math.min(size, bytes));
      return buffer.toString("utf8", 0, readSync(handle, buffer, 0, buffer.length, size - buffer.length));
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}
