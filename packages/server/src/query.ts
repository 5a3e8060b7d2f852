/** What stands behind the `?` of a request, or what is wrong with it: a sentence. */
import { ORDER_KINDS, type OrderKind } from "@moth-companion/core/protocol";
import type { Position } from "./log.ts";

/** The longest a poll may wait, in seconds. */
const MAX_WAIT = 60;

/** Of which these names are read. */
export interface Query<Name extends string> {
  get: (name: Name) => string | null;
}

/** `since` and `epoch`. */
export function positionOf(query: Query<"since" | "epoch">): Position | string {
  const since = query.get("since") || "0";
  if (!/^\d{1,15}$/.test(since)) return "since: must be a whole number, zero or more";
  return { since: Number(since), epoch: query.get("epoch") || undefined };
}

/** Seconds. */
export function waitOf(given: string | null, name: string): number | string {
  const wait = given || "0";
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(wait)
    ? Math.min(Number(wait), MAX_WAIT)
    : `${name}: must be a number of seconds, zero or more`;
}

/** What an adapter can have a session do: `takes=prompt,abort`. */
export function takesOf(query: Query<"takes">): OrderKind[] {
  const words = (query.get("takes") ?? "").split(",");
  return ORDER_KINDS.filter((kind) => words.includes(kind));
}
