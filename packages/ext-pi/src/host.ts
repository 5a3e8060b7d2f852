import { field } from "@moth-companion/core/fields";
import { type Place, readPlace } from "./door.ts";

/** What the extension uses of either harness's API. */
export interface Host {
  on(event: string, handler: (event: unknown, context: unknown) => unknown): void;
  getActiveTools?(): unknown;
  getCommands?(): unknown;
  /** A text of the person's, which is no command (Pi 1.6.0, omp 18.2.3). `followUp`: after the turn that runs. */
  sendUserMessage?(text: string, options?: { deliverAs: "followUp" }): void;
  registerCommand?(
    name: string,
    command: { description: string; handler: (words: string, context: unknown) => Promise<void> },
  ): void;
}

/** Hears what happened, and where. The harness awaits what it returns. */
export type Hear = (event: unknown, place: Place, context: unknown) => Promise<void> | void;

/** Listens for prompts of the person's: also those that wait until the agent has spoken, and are of one run with what came before. */
export function listenForPrompts(host: Host, hear: (place: Place) => void): void {
  listen(host, "message_start", (event, place) => {
    const message = field(event, "message");
    if (field(message, "role") === "user" && field(message, "attribution") !== "agent") hear(place);
  });
}

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
