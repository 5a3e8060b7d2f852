import { replyText } from "@moth-companion/core/text";
import type { MothEvent } from "@moth-companion/core/protocol";
import { firstLine, speaker, stateNews, verb } from "./words.ts";

/** The one thing of a batch that is read out: who waits for the person goes before moth's line, and that before what agents said. */
export function newsOf(events: readonly MothEvent[]): string | undefined {
  let waits: string | undefined;
  let says: string | undefined;
  let cards: string | undefined;
  for (const event of events) {
    if (event.kind === "state") waits = stateNews(event) ?? waits;
    else if (event.kind === "say") says = `moth: ${event.text}`;
    else if (event.kind === "card") cards = `${speaker(event)} ${verb(event)}: ${firstLine(replyText(event))}`;
  }
  return waits ?? says ?? cards;
}
