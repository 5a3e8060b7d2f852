/**
 * What one hook process leaves for the next of the same session, as a small file in moth's folder, readable by its owner alone:
 * `run/notes/<harness>.<session>`. For harnesses that tell a reply and the end of its turn to two processes. Nothing here throws.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { makeFolder } from "@moth-companion/core/folder";
import { type Env, mothHome } from "@moth-companion/core/paths";

/** A session that was killed leaves its note: after a day nobody asks for it any more. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
const MAX_BYTES = 256 * 1024;

/** Whose note it is. */
export interface NoteOwner {
  source: string;
  session: string;
}

export function readNote(env: Env, owner: NoteOwner): Readonly<Record<string, unknown>> | undefined {
  try {
    const file = noteFile(env, owner);
    const stat = existsSync(file) ? statSync(file) : undefined;
    if (!stat?.isFile() || stat.size > MAX_BYTES) return undefined;
    const note: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof note === "object" && note !== null ? (note as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

export function writeNote(env: Env, owner: NoteOwner, note: Readonly<Record<string, unknown>>): void {
  try {
    const file = noteFile(env, owner);
    makeFolder(folder(env), 0o700);
    // A note for a new session is the time to throw away what others left.
    if (!existsSync(file)) forgetOld(folder(env));
    const text = JSON.stringify(note);
    if (Buffer.byteLength(text) <= MAX_BYTES) writeFileSync(file, text, { mode: 0o600 });
  } catch {
    // Then the next process knows nothing, and reports less.
  }
}

export function forgetNote(env: Env, owner: NoteOwner): void {
  try {
    rmSync(noteFile(env, owner), { force: true });
  } catch {
    // Left for `forgetOld`.
  }
}

function forgetOld(within: string): void {
  const stale = Date.now() - MAX_AGE_MS;
  for (const name of readdirSync(within)) {
    const path = `${within}/${name}`;
    if (statSync(path).mtimeMs < stale) rmSync(path, { force: true });
  }
}

function noteFile(env: Env, { source, session }: NoteOwner): string {
  return `${folder(env)}/${source}.${session.slice(0, 80).replace(/[^\w-]/g, "_")}`;
}

function folder(env: Env): string {
  return `${mothHome(env)}/run/notes`;
}
