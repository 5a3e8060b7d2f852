import type { Env } from "@moth-companion/core/paths";
import type { Door, Harness } from "@moth-companion/harnesses";
import type { WatchParts } from "./watches.ts";
import { watchHost } from "./watches.ts";

/** Opens the door of every harness that has one. One that fails to open or to close harms nobody. */
export function openDoors(
  harnesses: readonly Harness[],
  parts: WatchParts & { env: Env; answersOn: () => boolean },
): { of(source: string): Door | undefined; stop(): void } {
  const doors = new Map<string, Door>();
  for (const { id, startDoor } of harnesses) {
    try {
      const door = startDoor?.({ ...watchHost(id, parts), answersOn: parts.answersOn });
      if (door) doors.set(id, door);
    } catch {
      // Then this harness is answered in its own window alone.
    }
  }
  return {
    of: (source) => doors.get(source),
    stop() {
      for (const door of doors.values()) {
        try {
          door.stop();
        } catch {
          // The others still have to stop.
        }
      }
    },
  };
}
