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

/**
 * Of several that can be meant, the newest, where all are gone and called alike, as after a second run in the same folder: nothing tells
 * them apart but their age. undefined: the person has to say which.
 */
export function newestGone(meant: readonly Session[]): Session | undefined {
  const label = meant[0]?.label.toLowerCase();
  if (meant.some((one) => one.state !== "gone" || one.label.toLowerCase() !== label)) return undefined;
  return [...meant].sort((a, b) => b.since - a.since || b.heard - a.heard)[0];
}

function isMeant({ label, session }: Session, wanted: string): boolean {
  if (label.toLowerCase().replace(/ \([^()]*\)$/, "") === wanted) return true;
  const id = session.toLowerCase();
  return id === wanted || (wanted.length >= 4 && id.startsWith(wanted));
}
