/** The long polls of adapters that stand at their harness's door: for the person's answers, and for their orders. */
import { cleanId } from "@moth-companion/core/text";
import { json } from "./answer.ts";
import type { AppParts } from "./app-parts.ts";
import { takesOf, waitOf } from "./query.ts";
import type { Read, Reply } from "./route.ts";

export function fetchAnswer(
  { query, cors, head, refuse }: Read<"source" | "session" | "wait" | "for", "BAD_QUERY" | "BUSY">,
  { answerBox }: AppParts,
): Reply {
  const seconds = waitOf(query.get("for"), "for");
  const [source, wait] = [query.get("source"), query.get("wait")];
  if (typeof seconds === "string") return { answer: refuse("BAD_QUERY", seconds) };
  if (!source || !wait) return { answer: refuse("BAD_QUERY", "source and wait: must name the wait to be answered") };
  if (!answerBox.hasRoom) return { answer: refuse("BUSY", "Too many adapters wait for answers. Ask again later.") };
  const of = { source: cleanId(source), session: cleanId(query.get("session") ?? ""), wait: cleanId(wait) };
  const fetched = answerBox.fetch(of, { ms: seconds * 1000, onClose: head.onClose });
  return { answer: fetched.then((answer) => json(answer, cors)) };
}

export function fetchOrder(
  { query, cors, head, refuse }: Read<"source" | "session" | "takes" | "for", "BAD_QUERY" | "BUSY">,
  { orderBox }: AppParts,
): Reply {
  const seconds = waitOf(query.get("for"), "for");
  const source = query.get("source");
  const takes = takesOf(query);
  if (typeof seconds === "string") return { answer: refuse("BAD_QUERY", seconds) };
  if (!source) return { answer: refuse("BAD_QUERY", "source: must be given") };
  if (takes.length === 0) return { answer: refuse("BAD_QUERY", "takes: must be prompt, abort or both, with a comma") };
  if (!orderBox.hasRoom) return { answer: refuse("BUSY", "Too many adapters wait for orders. Ask again later.") };
  const of = { source: cleanId(source), session: cleanId(query.get("session") ?? "") };
  const fetched = orderBox.fetch(of, takes, { ms: seconds * 1000, onClose: head.onClose });
  return { answer: fetched.then((order) => json(order, cors)) };
}
