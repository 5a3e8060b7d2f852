/** moth's folder and the small files in it. All of it is for the person alone: 0700 and 0600. */
import { chmodSync, readdirSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "@moth-companion/core/folder";
import { type Env, mothHome } from "@moth-companion/core/paths";
import { errorCode, ServerError } from "./errors.ts";

/** Makes moth's folder, tightens a loose one, and returns its path. Throws ServerError `HOME`. */
export function ensureHome(env: Env): string {
  const home = mothHome(env);
  const advice = "Make it a folder of your own that you can write to, or set MOTH_HOME to another one.";
  let stats: Stats;
  try {
    makeFolder(home, 0o700);
    stats = statSync(home);
  } catch (error) {
    throw new ServerError("HOME", `moth's folder ${home} cannot be made (${errorCode(error)}). ${advice}`, { cause: error });
  }
  if (!stats.isDirectory()) throw new ServerError("HOME", `${home} is not a folder. ${advice}`);
  if (!isOwn(stats)) throw new ServerError("HOME", `moth's folder ${home} belongs to another user. ${advice}`);
  try {
    if (isLoose(stats)) chmodSync(home, 0o700);
  } catch (error) {
    throw new ServerError("HOME", `moth's folder ${home} is open to others and cannot be closed. ${advice}`, { cause: error });
  }
  return home;
}

/** Tightens moth's folder where there is one. Returns whether others could get in until now. Throws ServerError `HOME`. */
export function closeHome(env: Env): boolean {
  const stats = statSync(mothHome(env), { throwIfNoEntry: false });
  if (!stats) return false;
  ensureHome(env);
  return isLoose(stats);
}

/** Folder of the run records. */
export function runFolder(env: Env): string {
  return join(mothHome(env), "run");
}

/** Whether a file or folder belongs to this user, or to root, whom nobody keeps out anyway. Always, where there are no owners. */
export function isOwn(stats: Stats): boolean {
  return stats.uid === (process.getuid?.() ?? stats.uid) || stats.uid === 0;
}

/** Whether others may read or write it. Never, where modes mean nothing. */
export function isLoose(stats: Stats): boolean {
  return process.platform !== "win32" && (stats.mode & 0o077) !== 0;
}

/** Removes a file where that can be done. What is left is what a moth that was killed leaves too, and the next one replaces it. */
export function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The folder can no longer be written.
  }
}

/** Writes a whole file or nothing: readers never see half of it. Throws what the file system throws. */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    removeIfPossible(draft);
    throw error;
  }
}

/** Removes what moths that were killed while they made a file have left. For whoever has the port that the file belongs to. Never throws. */
export function removeDrafts(file: string): void {
  const folder = dirname(file);
  try {
    const drafts = readdirSync(folder).filter((name) => name.startsWith(`${basename(file)}.`) && /\.\d+\.tmp$/.test(name));
    for (const name of drafts) removeIfPossible(join(folder, name));
  } catch {
    // There is no such folder yet.
  }
}
