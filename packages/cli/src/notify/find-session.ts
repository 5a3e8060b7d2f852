import type { Session } from "@moth-companion/core/protocol";
import { Failure } from "../errors.ts";
import { suggest } from "../suggest.ts";

/**
 * The session a person means: by its label, with or without the part that tells it from others, or by the beginning of its id.
 * @throws Failure USAGE when there is none, or more than one
 */
export function findSession(word: string, sessions: readonly Session[]): Session {
  const wanted = word.toLowerCase();
  const present = sessions.filter(({ state }) => state !== "gone");
  for (const among of [present, sessions]) {
    const exact = among.filter(({ label }) => label.toLowerCase() === wanted);
    const found = exact.length > 0 ? exact : among.filter((session) => isMeant(session, wanted));
    if (found.length > 1) {
      const names = found.map(({ label }) => `"${label}"`).join(", ");
      throw new Failure("USAGE", `"${word}" is more than one session`, `Say which: ${names}`);
    }
    if (found[0]) return found[0];
  }
  const labels = sessions.map(({ label }) => label);
  const near = suggest(word, labels);
  throw new Failure("USAGE", `there is no session "${word}"`, near ? `Did you mean "${near}"?` : "See which there are: moth ps");
}

function isMeant({ label, session }: Session, wanted: string): boolean {
  if (label.toLowerCase().replace(/ \([^()]*\)$/, "") === wanted) return true;
  return wanted.length >= 4 && session.toLowerCase().startsWith(wanted);
}
