import { type Place, readPlace } from "./door.ts";

/** What the extension uses of either harness's API. */
export interface Host {
  on(event: string, handler: (event: unknown, context: unknown) => unknown): void;
  getActiveTools?(): unknown;
  getCommands?(): unknown;
  registerCommand?(
    name: string,
    command: { description: string; handler: (words: string, context: unknown) => Promise<void> },
  ): void;
}

/** Hears what happened, and where. The harness awaits what it returns. */
export type Hear = (event: unknown, place: Place, context: unknown) => Promise<void> | void;

/** Listens to an event. An error stays here, where the harness would print it, and nothing is returned that could change what it does. */
export function listen(host: Host, event: string, hear: Hear): void {
  host.on(event, async (payload, context) => {
    try {
      const place = readPlace(context);
      if (place) await hear(payload, place, context);
    } catch {
      // moth misses an event; the agent must not.
    }
  });
}
