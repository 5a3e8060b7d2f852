import { sessionsMeant } from "@moth-companion/core/find-session";
import type { Session } from "@moth-companion/core/protocol";
import { Failure } from "../errors.ts";
import { suggest } from "../suggest.ts";

/**
 * The session a person means.
 * @throws Failure USAGE when there is none, or more than one
 */
export function findSession(word: string, sessions: readonly Session[]): Session {
  const [found, ...others] = sessionsMeant(word, sessions);
  if (found && others.length > 0) {
    const names = [found, ...others].map(({ label }) => `"${label}"`).join(", ");
    throw new Failure("USAGE", `"${word}" is more than one session`, `Say which: ${names}`);
  }
  if (found) return found;
  const labels = sessions.map(({ label }) => label);
  const near = suggest(word, labels);
  throw new Failure("USAGE", `there is no session "${word}"`, near ? `Did you mean "${near}"?` : "See which there are: moth ps");
}
