/** The routes: what may be asked, by whom, and the answer. Decides from a request's head; a body is asked for only when it is due. */
import {
  type ChatAnswer,
  type HealthAnswer,
  PROTOCOL,
  type SaysAnswer,
  type SessionsAnswer,
  TOKEN_HEADER,
} from "@moth-companion/core/protocol";
import { cleanId } from "@moth-companion/core/text";
import { type Answer, html, json, plainText, refuse, seeOther } from "./answer.ts";
import type { AnswerBox } from "./answer-box.ts";
import type { Answering } from "./answering.ts";
import { createFetches } from "./fetches.ts";
import type { Feed } from "./feed.ts";
import { corsHeaders, isAllowedHost, isOwnPage, originOf, preflight } from "./guard.ts";
import type { Heard } from "./heard.ts";
import type { Position } from "./log.ts";
import type { Moth } from "./moth.ts";
import type { OrderBox } from "./order-box.ts";
import type { Ordering } from "./ordering.ts";
import type { PageKeys } from "./page-keys.ts";
import { positionOf, waitOf } from "./query.ts";
import { adapters, type Asked, type Head, open, post, type Reply, type Route, secret, single } from "./route.ts";
import {
  type Checked,
  readAnswer,
  readChat,
  readMute,
  readOrder,
  readReset,
  readSeen,
  readState,
  readTaken,
  readTurn,
} from "./schema.ts";

export interface AppParts {
  moth: Moth;
  answering: Answering;
  ordering: Ordering;
  answerBox: AnswerBox;
  orderBox: OrderBox;
  feed: Feed;
  heard: Heard;
  hosts: ReadonlySet<string>;
  hasToken: (given: string | undefined) => boolean;
  keys: PageKeys;
  /** The page's HTML and its policy, loaded when a browser first asks. It holds no secret: what it shows, it must ask for. */
  page: () => Promise<{ html: string; policy: string }>;
  version: string;
  pid: number;
  /** How the person calls moth's command; `moth` unless given. */
  self?: string | undefined;
  /** Whether the person is away. They are not, unless given. */
  isAway?: () => boolean;
}

const greeting = (
  self: string,
): string => `This is moth. It hears your coding agents and tells you which one finished, failed, or waits for you.
Look with:  ${self} open   or   ${self} tail   or   ${self} ps
`;

export function createApp(parts: AppParts): (head: Head) => Reply {
  const { moth, answering, ordering, answerBox, orderBox, feed, heard, hosts, hasToken, keys, page, version, pid } = parts;
  const { self = "moth", isAway = () => false } = parts;
  const fetches = createFetches(parts);
  const health: HealthAnswer = { name: "moth", version, protocol: PROTOCOL, pid };
  const routes: Record<string, Route> = {
    "/": open(({ head, cors }) => ({ answer: isBrowser(head) ? shell() : plainText(greeting(self), cors) })),
    "/open": open(enter),
    "/api/open": post("token", readNothing, (_nothing, { head }) => ({
      url: `http://${single(head.headers["host"])}/open?key=${keys.invite()}`,
    })),
    "/api/health": open(({ cors }) => ({ answer: json(health, cors) })),
    "/api/says": { ...open(says), readers: "public" },
    "/api/sessions": secret(roster),
    "/api/last": secret(last),
    "/api/log": secret(log),
    "/api/events": secret(events),
    "/api/agent": post("token", readTurn, (report) => {
      heard.note(report.source);
      return moth.turn(report) ? { ok: true } : { ok: true, duplicate: true };
    }),
    "/api/state": post("token", readState, (report) => {
      heard.note(report.source);
      moth.state(report);
    }),
    "/api/chat": post("page", readChat, ({ text }) => ({ ok: true, ...moth.chat(text) }) satisfies ChatAnswer),
    "/api/answer": post("page", readAnswer, (request) => answering.answer(request)),
    "/api/order": post("page", readOrder, (request) => ordering.order(request)),
    "/api/answers": adapters(fetches.answers),
    "/api/orders": adapters(fetches.orders),
    "/api/taken": post("token", readTaken, ({ id, taken }) => ({ ok: answerBox.taken(id, taken) || orderBox.taken(id, taken) })),
    "/api/reset": post("page", readReset, ({ everything }) => moth.reset(everything)),
    "/api/seen": post("page", readSeen, ({ whom }) => moth.attention.seen(whom)),
    "/api/mute": post("page", readMute, ({ whom, seconds, off }) =>
      off ? moth.attention.unmute(whom) : moth.attention.mute(whom, seconds),
    ),
    "/api/notify": secret(({ cors }) => ({ answer: json(moth.attention.status(), cors) })),
    "/api/notify/test": post("token", readNothing, () => moth.attention.test()),
  };

  function shell(status = 200): Promise<Answer> {
    return page().then(({ html: body, policy }) => html(body, policy, status));
  }

  /** The link of `moth open`. One that was used takes a browser that is in already to the page all the same. */
  function enter({ search, head }: Asked): Reply {
    const cookie = keys.redeem(new URLSearchParams(search).get("key") ?? "");
    if (cookie !== undefined) return { answer: seeOther("/", { "Set-Cookie": cookie }) };
    return { answer: keys.has(single(head.headers["cookie"])) ? seeOther("/") : shell(403) };
  }

  /** Where sessions run is for whoever has the token: the page does without. */
  function roster({ cors, hasToken }: Asked): Reply {
    const { sessions, ...at } = moth.roster();
    const told = sessions.map(({ cwd, ...row }) => {
      const takes = ordering.takes(row.source, row.session);
      return { ...row, ...(takes.length > 0 && { takes }), ...(hasToken && cwd !== undefined && { cwd }) };
    });
    return { answer: json({ ...at, sessions: told, ...(isAway() && { away: true }) } satisfies SessionsAnswer, cors) };
  }

  function says({ search, cors, head, hasToken }: Asked): Reply {
    const query = new URLSearchParams(search);
    const from = positionOf(query);
    const wait = waitOf(query);
    const after = query.get("after") || "0";
    if (typeof from === "string") return { answer: refuse("BAD_QUERY", from, cors) };
    if (typeof wait === "string") return { answer: refuse("BAD_QUERY", wait, cors) };
    if (!/^\d{1,15}$/.test(after)) return { answer: refuse("BAD_QUERY", "after: must be milliseconds since 1970", cors) };
    const only = { source: query.get("source") ?? undefined, session: query.get("session") ?? undefined, after: Number(after) };
    const read = (position: Position): SaysAnswer => moth.log.says(position, only, hasToken);
    // Whoever may not know the sessions may not keep a place among those that wait either.
    if (wait === 0 || !hasToken) return { answer: json(read(from), cors) };
    if (!feed.hasRoom) return { answer: busy(cors) };
    let looked = from;
    const isDue = (): boolean => {
      const { says: found, next, epoch } = read(looked);
      looked = { since: next, epoch };
      return found.length > 0;
    };
    return { answer: feed.wait(isDue, wait * 1000, head.onClose).then(() => json(read(from), cors)) };
  }

  function last({ search, cors }: Asked): Reply {
    const query = new URLSearchParams(search);
    const answer = moth.last(cleanId(query.get("source") ?? ""), cleanId(query.get("session") ?? ""));
    return { answer: answer ? json(answer, cors) : refuse("NO_SESSION", "moth knows no such session.", cors) };
  }

  function log({ search, cors, head }: Asked): Reply {
    const query = new URLSearchParams(search);
    const from = positionOf(query);
    const wait = waitOf(query);
    if (typeof from === "string") return { answer: refuse("BAD_QUERY", from, cors) };
    if (typeof wait === "string") return { answer: refuse("BAD_QUERY", wait, cors) };
    if (wait === 0) return { answer: json(moth.log.read(from), cors) };
    if (!feed.hasRoom) return { answer: busy(cors) };
    return { answer: feed.poll(from, wait * 1000, head.onClose).then((answer) => json(answer, cors)) };
  }

  function events({ search, cors, head }: Asked): Reply {
    const from = resumeOf(head.headers["last-event-id"]) ?? positionOf(new URLSearchParams(search));
    if (typeof from === "string") return { answer: refuse("BAD_QUERY", from, cors) };
    if (!feed.hasRoom) return { answer: busy(cors) };
    return {
      headers: { "Content-Type": "text/event-stream; charset=utf-8", ...cors },
      stream: (sink) => feed.stream(from, sink),
    };
  }

  return (head) => {
    if (!isAllowedHost(head.rawHeaders, hosts)) {
      const names = [...hosts].join(", ");
      return { answer: refuse("HOST", `The Host header must be one of ${names}. Ask moth by one of these names.`) };
    }
    const queryAt = head.target.indexOf("?");
    const path = queryAt === -1 ? head.target : head.target.slice(0, queryAt);
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    const origin = single(head.headers["origin"]);
    const cors = corsHeaders(origin, route?.readers ?? "local");
    if (head.method !== "GET" && head.method !== "OPTIONS" && !["none", "local"].includes(originOf(origin))) {
      return { answer: refuse("ORIGIN", "Only pages of this machine may post to moth.") };
    }
    if (!route) return { answer: refuse("NOT_FOUND", "There is nothing at this path. moth's routes begin with /api/.", cors) };
    if (head.method === "OPTIONS" && head.headers["access-control-request-method"] !== undefined) {
      const allowed = preflight(origin, route.readers, route.method);
      if (!allowed) return { answer: refuse("ORIGIN", "Pages of this origin may not ask moth.") };
      return { answer: { status: 204, body: "", headers: allowed } };
    }
    if (head.method !== route.method) {
      return { answer: refuse("METHOD", `Ask this path with ${route.method}.`, { ...cors, Allow: route.method }) };
    }
    const given = hasToken(single(head.headers[TOKEN_HEADER.toLowerCase()]));
    const isPage = route.needs === "page" && isOwnPage(head.headers) && keys.has(single(head.headers["cookie"]));
    if (route.needs !== "nothing" && !given && !isPage) {
      const message = `The header ${TOKEN_HEADER} must hold moth's token. It stands in the file "token" of moth's folder.`;
      return { answer: refuse("TOKEN", message, cors) };
    }
    return route.reply({ search: queryAt === -1 ? "" : head.target.slice(queryAt), cors, head, hasToken: given });
  };
}

function readNothing(): Checked<undefined> {
  return { ok: true, value: undefined };
}

function isBrowser(head: Head): boolean {
  return /\btext\/html\b/i.test(single(head.headers["accept"]) ?? "");
}

function busy(cors: Record<string, string>): Answer {
  return refuse("BUSY", "Too many displays wait for events. Close some, or ask again later.", cors);
}

/** Where a stream goes on after it broke: `<epoch>:<id>` of the last event that arrived. Anything else is not one of our ids. */
function resumeOf(header: string | string[] | undefined): Position | undefined {
  const [, epoch, id] = /^([^:]+):(\d{1,15})$/.exec(single(header) ?? "") ?? [];
  return epoch === undefined ? undefined : { since: Number(id) + 1, epoch };
}
