/** The routes: what may be asked, by whom, and the answer. Decides from a request's head; a body is asked for only when it is due. */
import {
  type ChatAnswer,
  MAX_BODY_BYTES,
  type HealthAnswer,
  PROTOCOL,
  type SaysAnswer,
  type SessionsAnswer,
  TOKEN_HEADER,
} from "@moth-companion/core/protocol";
import { cleanId } from "@moth-companion/core/text";
import { type Answer, html, json, plainText, type Refusal, refuse, seeOther } from "./answer.ts";
import type { Answering } from "./answering.ts";
import type { Feed, Reader, Sink } from "./feed.ts";
import { corsHeaders, isAllowedHost, isOwnPage, originOf, preflight, type Readers } from "./guard.ts";
import type { Heard } from "./heard.ts";
import type { Position } from "./log.ts";
import type { Mailbox } from "./mailbox.ts";
import type { Moth } from "./moth.ts";
import type { PageKeys } from "./page-keys.ts";
import { positionOf, waitOf } from "./query.ts";
import { type Checked, readAnswer, readChat, readMute, readReset, readSeen, readState, readTaken, readTurn } from "./schema.ts";

/** A request without its body. */
export interface Head {
  method: string;
  /** Path and query, as sent. */
  target: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values in turn, as sent. */
  rawHeaders: readonly string[];
  /** Takes what to do when the asker goes before the answer. */
  onClose: (fn: () => void) => void;
}

/** An answer, now or later; a stream; or what to do with the body, of which at most 64 KB are wanted. */
export type Reply =
  | { answer: Answer | Promise<Answer> }
  | { headers: Record<string, string>; stream: (sink: Sink) => Reader }
  | { onBody: (text: string) => Answer | Promise<Answer>; onTooLarge: () => Answer };

export interface AppParts {
  moth: Moth;
  answering: Answering;
  mailbox: Mailbox;
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
}

interface Asked {
  /** What stands behind the `?`. */
  search: string;
  cors: Record<string, string>;
  head: Head;
  hasToken: boolean;
}

interface Route {
  method: "GET" | "POST";
  /** `page`: the token, or the cookie of a page that was opened with one. */
  needs: "nothing" | "token" | "page";
  readers: Readers;
  reply(asked: Asked): Reply;
}

const greeting = (
  self: string,
): string => `This is moth. It hears your coding agents and tells you which one finished, failed, or waits for you.
Look with:  ${self} open   or   ${self} tail   or   ${self} ps
`;

export function createApp(parts: AppParts): (head: Head) => Reply {
  const { moth, answering, mailbox, feed, heard, hosts, hasToken, keys, page, version, pid, self = "moth" } = parts;
  const health: HealthAnswer = { name: "moth", version, protocol: PROTOCOL, pid };
  const routes: Record<string, Route> = {
    "/": open(({ head, cors }) => ({ answer: isBrowser(head) ? shell() : plainText(greeting(self), cors) })),
    "/open": open(enter),
    "/api/open": post("token", readNothing, (_nothing, { head }) => ({
      url: `http://${single(head.headers["host"])}/open?key=${keys.invite()}`,
    })),
    "/api/health": open(({ cors }) => ({ answer: json(health, cors) })),
    "/api/says": { ...open(says), readers: "public" },
    "/api/sessions": secret(({ cors }) => ({ answer: json(moth.roster() satisfies SessionsAnswer, cors) })),
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
    "/api/answers": { ...secret(answers), needs: "token" },
    "/api/taken": post("token", readTaken, ({ id, taken }) => ({ ok: mailbox.taken(id, taken) })),
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

  function answers({ search, cors, head }: Asked): Reply {
    const query = new URLSearchParams(search);
    const seconds = waitOf(query, "for");
    const [source, wait] = [query.get("source"), query.get("wait")];
    if (typeof seconds === "string") return { answer: refuse("BAD_QUERY", seconds, cors) };
    if (!source || !wait) return { answer: refuse("BAD_QUERY", "source and wait: must name the wait to be answered", cors) };
    if (!mailbox.hasRoom) return { answer: busy(cors) };
    const of = { source: cleanId(source), session: cleanId(query.get("session") ?? ""), wait: cleanId(wait) };
    return { answer: mailbox.fetch(of, seconds * 1000, head.onClose).then((answer) => json(answer, cors)) };
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

/** What a post came to: the answer's body, or why it is refused after all. */
type Taken = object | { refusal: Refusal };

function open(reply: Route["reply"]): Route {
  return { method: "GET", needs: "nothing", readers: "local", reply };
}

function secret(reply: Route["reply"]): Route {
  return { method: "GET", needs: "page", readers: "local", reply };
}

function post<T>(
  needs: "token" | "page",
  read: (body: unknown) => Checked<T>,
  take: (value: T, asked: Asked) => void | Taken | Promise<Taken>,
): Route {
  return {
    method: "POST",
    needs,
    readers: "local",
    reply(asked) {
      const { head, cors } = asked;
      const tooLarge = (): Answer => refuse("TOO_LARGE", `A body may have ${MAX_BODY_BYTES} bytes.`, cors);
      if (!/^application\/json\s*(?:;|$)/i.test(single(head.headers["content-type"]) ?? "")) {
        return { answer: refuse("CONTENT_TYPE", "The Content-Type must be application/json.", cors) };
      }
      if (Number(head.headers["content-length"] ?? 0) > MAX_BODY_BYTES) return { answer: tooLarge() };
      return {
        onTooLarge: tooLarge,
        onBody(text) {
          const body = parseObject(text);
          if (!body) return refuse("BAD_JSON", "The body must be a JSON object.", cors);
          const checked = read(body);
          if (!checked.ok) return refuse("BAD_FIELD", checked.message, cors);
          const taken = take(checked.value, asked) ?? { ok: true };
          const told = (answer: Taken): Answer =>
            "refusal" in answer ? refuse(answer.refusal.code, answer.refusal.message, cors) : json(answer, cors);
          return taken instanceof Promise ? taken.then(told) : told(taken);
        },
      };
    },
  };
}

function readNothing(): Checked<undefined> {
  return { ok: true, value: undefined };
}

function isBrowser(head: Head): boolean {
  return /\btext\/html\b/i.test(single(head.headers["accept"]) ?? "");
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function busy(cors: Record<string, string>): Answer {
  return refuse("BUSY", "Too many displays wait for events. Close some, or ask again later.", cors);
}

/** Where a stream goes on after it broke: `<epoch>:<id>` of the last event that arrived. Anything else is not one of our ids. */
function resumeOf(header: string | string[] | undefined): Position | undefined {
  const [, epoch, id] = /^([^:]+):(\d{1,15})$/.exec(single(header) ?? "") ?? [];
  return epoch === undefined ? undefined : { since: Number(id) + 1, epoch };
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(", ") : header;
}
