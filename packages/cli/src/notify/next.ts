import type { Session } from "@moth-companion/core/protocol";

/**
 * Those that want the person, the one that wants them most first: who waits and was not looked at, the longest on top; then whose
 * turn ended, the oldest on top; then who waits and was looked at.
 */
export function whoWants(sessions: readonly Session[]): Session[] {
  return sessions.filter((session) => rank(session) > 0).sort((a, b) => rank(a) - rank(b) || a.since - b.since);
}

function rank({ state, unread }: Session): number {
  if (state === "waiting") return unread === undefined ? 3 : 1;
  return unread === undefined ? 0 : 2;
}
