import { sessionsMeant } from "@moth-companion/core/find-session";
import type { Session } from "@moth-companion/core/protocol";
import { Failure } from "../errors.ts";
import { idLength } from "../id-length.ts";
import { suggest } from "../suggest.ts";

/**
 * The session a person means.
 * @throws Failure USAGE when there is none, or more than one
 */
export function findSession(word: string, sessions: readonly Session[]): Session {
  const [found, ...others] = sessionsMeant(word, sessions);
  if (found && others.length > 0) {
    throw new Failure("USAGE", `"${word}" is more than one session`, `Say which${namesOf([found, ...others])}`);
  }
  if (found) return found;
  const labels = sessions.map(({ label }) => label);
  const near = suggest(word, labels);
  throw new Failure("USAGE", `there is no session "${word}"`, near ? `Did you mean "${near}"?` : "See which there are: moth ps");
}

/** Labels, or where those are alike, as they may be once sessions are gone, the beginnings of their ids. */
function namesOf(sessions: readonly Session[]): string {
  const labels = sessions.map(({ label }) => label);
  if (new Set(labels).size === labels.length) return `: ${quoted(labels)}`;
  const ids = [...sessions].sort((a, b) => b.heard - a.heard).map(({ session }) => session);
  const length = idLength(ids);
  return `, the newest first: ${quoted(ids.map((id) => id.slice(0, length)))}`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
