import { newestGone, sessionsMeant } from "@moth-companion/core/find-session";
import type { Session } from "@moth-companion/core/protocol";
import { Failure } from "../errors.ts";
import { idLength } from "../id-length.ts";
import { suggest } from "../suggest.ts";

/** So many ids are named; more would be no choice. */
const NAMED = 6;

/**
 * The session a person means.
 * @param tell is told that of several that are gone the newest is taken; without it that is for the person to say
 * @throws Failure USAGE when there is none, or more than one
 */
export function findSession(word: string, sessions: readonly Session[], tell?: (line: string) => void): Session {
  const meant = sessionsMeant(word, sessions);
  const [found, ...others] = meant;
  const newest = tell && others.length > 0 ? newestGone(meant) : undefined;
  if (tell && newest) {
    const id = newest.session.slice(0, idLength(meant.map(({ session }) => session)));
    tell(`moth: "${word}" is ${meant.length} sessions that are gone; the newest is taken, ${id}`);
    return newest;
  }
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
  const newest = quoted(ids.slice(0, NAMED).map((id) => id.slice(0, length)));
  const more = ids.length - NAMED;
  return `, the newest first: ${newest}${more > 0 ? `, and ${more} more: moth ps --all` : ""}`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
