import type { Env } from "@moth-companion/core/paths";
import type { StateReport } from "@moth-companion/core/protocol";
import type { Harness, WatchedSession, WatchHost } from "@moth-companion/harnesses";
import type { Clock } from "./clock.ts";
import { stateBody } from "./schema.ts";

/** What watches may see of the server, and hand in. */
export interface WatchParts {
  env: Env;
  clock: Clock;
  sessions: (source: string) => WatchedSession[];
  report: (report: StateReport) => void;
}

/** What the watch, or the door, of one harness is given. */
export function watchHost(id: string, { env, clock, sessions, report }: WatchParts): WatchHost {
  return {
    env,
    now: () => clock.now(),
    sessions: () => sessions(id),
    report(seen) {
      // Checked like a report from outside: a watch reads foreign files.
      const checked = stateBody.read({ ...seen, source: id });
      if (checked.ok) report(checked.value);
    },
  };
}

/** Starts the watch of every harness that has one. A watch that fails to start or to stop harms nobody. */
export function startWatches(harnesses: readonly Harness[], parts: WatchParts): { stop(): void } {
  const watches: { stop(): void }[] = [];
  let isStopped = false;
  const report = (seen: StateReport): void => {
    if (!isStopped) parts.report(seen);
  };
  for (const { id, startWatch } of harnesses) {
    if (!startWatch) continue;
    try {
      watches.push(startWatch(watchHost(id, { ...parts, report })));
    } catch {
      // Then this harness is heard by its hook alone.
    }
  }
  return {
    stop() {
      isStopped = true;
      for (const watch of watches) {
        try {
          watch.stop();
        } catch {
          // The others still have to stop.
        }
      }
    },
  };
}
