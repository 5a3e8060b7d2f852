import { cutText } from "@moth-companion/core/text";
import { MAX_LABEL_LENGTH } from "@moth-companion/core/protocol";

interface Named {
  source: string;
  session: string;
}

/** Lengths of the session id's end that are tried, shortest first. */
const ENDS = [4, 6, 8, 12, 16, 24, 32, 64, 128];

/**
 * Names for active sessions that share a label: `name (3f2a)` with the end of the session id, a longer end where that is not enough.
 * @param group the sessions, each (source, session) once
 * @param isTaken whether another session has this label for its own
 */
export function distinctLabels(label: string, group: readonly Named[], isTaken: (label: string) => boolean): string[] {
  if (group.length < 2) return group.map(() => label);
  for (const end of ENDS) {
    const names = group.map((each) => withEnd(label, each.session.slice(-end)));
    if (group.every((each) => each.session !== "") && areDistinct(names, isTaken)) return names;
  }
  // One session id in two harnesses, or none at all: only the harness tells them apart.
  const bySource = group.map((each) => withEnd(label, each.source));
  return areDistinct(bySource, isTaken) ? bySource : group.map((each) => withEnd(label, `${each.source} ${each.session}`));
}

function withEnd(label: string, end: string): string {
  return `${cutText(label, Math.max(8, MAX_LABEL_LENGTH - end.length - 3))} (${end})`;
}

function areDistinct(names: readonly string[], isTaken: (label: string) => boolean): boolean {
  return new Set(names).size === names.length && !names.some(isTaken);
}
