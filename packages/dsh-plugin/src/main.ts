/**
 * moth's plugin for dsh, a cordis plugin. Seen on dsh 0.1.0-rc.8; `docs/harness/dsh.md` tells what was seen.
 *
 * It never throws: a plugin that throws while it is applied keeps dsh from starting.
 */
import { createOutbox } from "@moth-companion/core/outbox";
import { readHappening, readPlace } from "./door.ts";
import { createListener } from "./listener.ts";

/** What the plugin uses of a cordis context. */
interface Host {
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  /** What it returns is awaited when dsh ends, or the plugin is taken out. */
  effect(start: () => () => Promise<void>): unknown;
}

/** Milliseconds in which a subagent's news have begun the next turn of its session; 5 were seen. */
const NEWS_MS = 500;

export const name = "moth";

export function apply(host: Host): void {
  try {
    const outbox = createOutbox();
    const listener = createListener({
      source: "dsh",
      pid: process.pid,
      reports: outbox,
      later: (act) => void setTimeout(guarded(act), NEWS_MS).unref(),
    });
    const hear = guarded((session, event) => {
      const happening = readHappening(event);
      const place = happening && readPlace(session);
      if (place) listener.hear(place, happening);
    });
    const leave = guarded((session) => {
      const place = readPlace(session);
      if (place) listener.left(place);
    });
    host.on("session/event", hear);
    host.on("session/disposed", leave);
    host.effect(() => async () => {
      guarded(() => listener.close())();
      await outbox.flush();
    });
  } catch {
    // Then dsh works as it would without moth.
  }
}

/** moth misses an event; dsh must not. */
function guarded(act: (...args: unknown[]) => void): (...args: unknown[]) => void {
  return (...args) => {
    try {
      act(...args);
    } catch {
      // An event of a shape nobody has seen.
    }
  };
}
