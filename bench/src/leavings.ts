/** What the bench has begun and not ended yet. Whatever ends the bench, a mistake or Ctrl-C too, ends that as well. */
import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";

const begun = new Set<() => void>();

/** @param end works at once, without waiting for anything @returns what ends it; again and again does no harm */
export function begin(end: () => void): () => void {
  const once = (): void => {
    if (begun.delete(once)) end();
  };
  begun.add(once);
  return once;
}

/** Ends all that is left, the newest first. */
export function endAll(): void {
  for (const end of [...begun].toReversed()) end();
}

/** Sees to it that nothing outlives this process. */
export function endWithProcess(): void {
  process.on("exit", endAll);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
}

/** A folder of the bench's own, and what removes it. */
export function beginFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "moth-bench-"));
  return { folder, remove: begin(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })) };
}
