/** What displays read: the roster, replies, the log and moth's lines. */
import type { SaysAnswer, SessionsAnswer } from "@moth-companion/core/protocol";
import { cleanId } from "@moth-companion/core/text";
import { json } from "./answer.ts";
import type { AppParts } from "./app-parts.ts";
import type { Position } from "./log.ts";
import { positionOf, waitOf } from "./query.ts";
import { type Read, type Reply, single } from "./route.ts";

const BUSY = "Too many displays wait for events. Close some, or ask again later.";

/** Where sessions run is for whoever has the token: the page does without. */
export function roster({ cors, hasToken }: Read<never, never>, { moth, ordering, isAway = () => false }: AppParts): Reply {
  const { sessions, ...at } = moth.roster();
  const told = sessions.map(({ cwd, ...row }) => {
    const takes = ordering.takes(row.source, row.session);
    return { ...row, ...(takes.length > 0 && { takes }), ...(hasToken && cwd !== undefined && { cwd }) };
  });
  return { answer: json({ ...at, sessions: told, ...(isAway() && { away: true }) } satisfies SessionsAnswer, cors) };
}

export function says(
  asked: Read<"since" | "epoch" | "source" | "session" | "after" | "wait", "BAD_QUERY" | "BUSY">,
  { moth, feed }: AppParts,
): Reply {
  const { query, cors, head, hasToken, refuse } = asked;
  const from = positionOf(query);
  const wait = waitOf(query.get("wait"), "wait");
  const after = query.get("after") || "0";
  if (typeof from === "string") return { answer: refuse("BAD_QUERY", from) };
  if (typeof wait === "string") return { answer: refuse("BAD_QUERY", wait) };
  if (!/^\d{1,15}$/.test(after)) return { answer: refuse("BAD_QUERY", "after: must be milliseconds since 1970") };
  const only = { source: query.get("source") ?? undefined, session: query.get("session") ?? undefined, after: Number(after) };
  const read = (position: Position): SaysAnswer => moth.log.says(position, only, hasToken);
  // Whoever may not know the sessions may not keep a place among those that wait either.
  if (wait === 0 || !hasToken) return { answer: json(read(from), cors) };
  if (!feed.hasRoom) return { answer: refuse("BUSY", BUSY) };
  let looked = from;
  const isDue = (): boolean => {
    const { says: found, next, epoch } = read(looked);
    looked = { since: next, epoch };
    return found.length > 0;
  };
  return { answer: feed.wait(isDue, wait * 1000, head.onClose).then(() => json(read(from), cors)) };
}

export function last({ query, cors, refuse }: Read<"source" | "session", "NO_SESSION">, { moth }: AppParts): Reply {
  const answer = moth.last(cleanId(query.get("source") ?? ""), cleanId(query.get("session") ?? ""));
  return { answer: answer ? json(answer, cors) : refuse("NO_SESSION", "moth knows no such session.") };
}

export function log(asked: Read<"since" | "epoch" | "wait", "BAD_QUERY" | "BUSY">, { moth, feed }: AppParts): Reply {
  const { query, cors, head, refuse } = asked;
  const from = positionOf(query);
  const wait = waitOf(query.get("wait"), "wait");
  if (typeof from === "string") return { answer: refuse("BAD_QUERY", from) };
  if (typeof wait === "string") return { answer: refuse("BAD_QUERY", wait) };
  if (wait === 0) return { answer: json(moth.log.read(from), cors) };
  if (!feed.hasRoom) return { answer: refuse("BUSY", BUSY) };
  return { answer: feed.poll(from, wait * 1000, head.onClose).then((answer) => json(answer, cors)) };
}

export function events({ query, cors, head, refuse }: Read<"since" | "epoch", "BAD_QUERY" | "BUSY">, { feed }: AppParts): Reply {
  const from = resumeOf(head.headers["last-event-id"]) ?? positionOf(query);
  if (typeof from === "string") return { answer: refuse("BAD_QUERY", from) };
  if (!feed.hasRoom) return { answer: refuse("BUSY", BUSY) };
  return {
    headers: { "Content-Type": "text/event-stream; charset=utf-8", ...cors },
    stream: (sink) => feed.stream(from, sink),
  };
}

/** Where a stream goes on after it broke: `<epoch>:<id>` of the last event that arrived. Anything else is not one of our ids. */
function resumeOf(header: string | string[] | undefined): Position | undefined {
  const [, epoch, id] = /^([^:]+):(\d{1,15})$/.exec(single(header) ?? "") ?? [];
  return epoch === undefined ? undefined : { since: Number(id) + 1, epoch };
}
