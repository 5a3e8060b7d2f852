/** The door: foreign events and contexts into our own words. Unknown fields and wrong types count as missing; nothing here throws. */
import type { Outcome } from "@moth-companion/core/protocol";
import { field, list, text } from "@moth-companion/core/fields";
import { readScreen, type Screen } from "./screen.ts";

/** Where an event happened. */
export interface Place {
  session: string;
  folder: string | undefined;
  /** Somebody can be asked: there is a terminal, or a program that shows dialogs. */
  attended: boolean;
  /** The person's window, if there is one. */
  screen: Screen | undefined;
}

/** What one answer of the model came to. A turn with tools has several. */
export interface Said {
  outcome: Outcome;
  /** The reply, when this answer is one; never empty. */
  text?: string;
  /** Names the answer within its session: when the model began it, in milliseconds since 1970. */
  turn?: string;
}

/** Reads an event handler's second argument. Shape as in Pi 1.6.0 and omp 18.2.3. */
export function readPlace(context: unknown): Place | undefined {
  const manager = field(context, "sessionManager") as { getSessionId?: () => unknown } | undefined;
  const session = manager?.getSessionId?.();
  if (typeof session !== "string" || session === "") return undefined;
  return { session, folder: text(context, "cwd"), attended: field(context, "hasUI") === true, screen: readScreen(context) };
}

/** Reads the message of a `turn_end`. */
export function readSaid(message: unknown): Said | undefined {
  if (field(message, "role") !== "assistant") return undefined;
  const outcome = outcomeOf(message);
  const stop = text(message, "stopReason");
  // A reply that ran into the length limit is still what was said; of a failed or stopped one only half was.
  const words = stop === "stop" || stop === "length" ? reply(field(message, "content")) : "";
  const began = field(message, "timestamp");
  return {
    outcome,
    ...(words.trim() !== "" && { text: words }),
    ...(typeof began === "number" && { turn: String(began) }),
  };
}

/** Errors that say: not now, or not so much. Only the provider's own words tell (both harnesses). */
const LIMIT = /\b429\b|rate.?limit|usage.?limit|quota|insufficient.?(?:credit|funds|balance)/i;

function outcomeOf(message: unknown): Outcome {
  switch (text(message, "stopReason")) {
    case "aborted":
      return "interrupted";
    case "error":
      return LIMIT.test((text(message, "errorMessage") ?? "").slice(0, 2000)) ? "limit" : "failed";
    case "length":
      return "limit";
    default:
      return "done";
  }
}

/** The text parts, a line each as both harnesses print them; thoughts and tool calls are none. */
function reply(content: unknown): string {
  return list(content)
    .flatMap((part) => (field(part, "type") === "text" ? (text(part, "text") ?? []) : []))
    .join("\n");
}
