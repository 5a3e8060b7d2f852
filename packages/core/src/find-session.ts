import type { Session } from "./protocol.ts";

/**
 * The sessions a person can mean by a word: their label, with or without the part that tells it from others, or the beginning of
 * their id. Those that are there come before those that have gone.
 */
export function sessionsMeant(word: string, sessions: readonly Session[]): Session[] {
  const wanted = word.toLowerCase();
  const present = sessions.filter(({ state }) => state !== "gone");
  for (const among of [present, sessions]) {
    const exact = among.filter(({ label }) => label.toLowerCase() === wanted);
    const found = exact.length > 0 ? exact : among.filter((session) => isMeant(session, wanted));
    if (found.length > 0) return found;
  }
  return [];
}

function isMeant({ label, session }: Session, wanted: string): boolean {
  if (label.toLowerCase().replace(/ \([^()]*\)$/, "") === wanted) return true;
  const id = session.toLowerCase();
  return id === wanted || (wanted.length >= 4 && id.startsWith(wanted));
}
