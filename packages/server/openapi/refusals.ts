/** Why moth refuses, by code: the words of `docs/protocol.md`. */
import type { RefusalCode } from "../src/answer.ts";
import { REFUSALS } from "../src/answer.ts";
import type { Route } from "../src/route.ts";

export type Code = RefusalCode | "INTERNAL";

export const WHY: Readonly<Record<Code, string>> = {
  BAD_REQUEST: "not HTTP/1.1 as moth reads it",
  BAD_JSON: "the body is no JSON object",
  BAD_FIELD: "a field is missing or of the wrong kind: `text: must be a string`",
  BAD_QUERY: "something behind the `?` is missing or of the wrong kind: `since: must be a whole number, zero or more`",
  UPGRADE: "an Upgrade header: there is no WebSocket and no HTTP/2 here",
  TOKEN: "the token is missing or wrong",
  HOST: "the Host header is not one of moth's",
  ORIGIN: "a page that may not ask this",
  LINK: "a link of `moth open` that was used, or is older than 60 seconds",
  ANSWERS_OFF: "the person has not turned answers on",
  NOT_FOUND: "no such path; paths are matched to the letter",
  NO_SESSION: "an answer or an order to, or the last reply of, a session that moth does not know",
  METHOD: "`Allow` names the right one; also HEAD, and CONNECT",
  TIMEOUT: "the request did not arrive within 5 seconds",
  STALE: "an answer to a wait that is over",
  ANSWERED: "it was answered already",
  NOT_ANSWERABLE: "it can be answered in its own window alone",
  NOT_TAKEN: "the harness did not take the answer or order; the message says why",
  GONE: "an order to a session that has ended",
  WAITING: "a message to a session that asks something",
  IDLE: "an abort where nothing runs",
  NOT_HERE: "nobody listens for such an order of this session",
  TOO_LARGE: "more than 64 KB",
  CONTENT_TYPE: "not `application/json`",
  EXPECT: "an expectation other than `100-continue`",
  BUSY: "more than 64 polls and streams of displays wait, 256 fetches of answers or 192 of orders, or more than 512 connections are open",
  HEADERS: "the head has more than 8 KB",
  INTERNAL: "a mistake of moth's own; its log tells more",
};

export const CODES = Object.keys(WHY) as Code[];

/** What any request may be told. `NOT_FOUND` and `METHOD` are not among them: then it was none of these operations. */
const ANY: readonly Code[] = ["BAD_REQUEST", "UPGRADE", "HOST", "TIMEOUT", "EXPECT", "BUSY", "HEADERS", "INTERNAL"];
const ANY_POST: readonly Code[] = ["BAD_JSON", "ORIGIN", "TOO_LARGE", "CONTENT_TYPE"];

function statusOf(code: Code): number {
  return code === "INTERNAL" ? 500 : REFUSALS[code];
}

/** Every code a route may answer with, by status. */
export function refusalsOf({ method, needs, body, refusals }: Route): Map<number, Code[]> {
  const hasFields = body !== undefined && Object.keys((body.schema as { def: { shape?: object } }).def.shape ?? {}).length > 0;
  const all = new Set<Code>([
    ...ANY,
    ...(method === "POST" ? ANY_POST : []),
    ...(hasFields ? (["BAD_FIELD"] as const) : []),
    ...(needs === "token" || needs === "page" ? (["TOKEN"] as const) : []),
    ...refusals,
  ]);
  const found = new Map<number, Code[]>();
  // In the order of `WHY`, which is that of the protocol's table.
  for (const code of CODES) if (all.has(code)) found.set(statusOf(code), [...(found.get(statusOf(code)) ?? []), code]);
  return found;
}
