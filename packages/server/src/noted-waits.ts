import { readdirSync } from "node:fs";
import type { Env } from "@moth-companion/core/paths";
import { waitNote, waitNotes } from "@moth-companion/core/wait-notes";

/** Which sessions wait by the notes of their hooks, which keep them while no moth runs, too. Never throws. */
export function notedWaits(env: Env): (session: { source: string; session: string }) => boolean {
  let notes: string[] = [];
  try {
    notes = readdirSync(waitNotes(env));
  } catch {
    // No hook has ever noted one.
  }
  return (session) => notes.some((note) => note.startsWith(waitNote(session)));
}
