import type { ErrorAnswer } from "@moth-companion/core/protocol";

/** A whole answer. `headers` come on top of those that every answer carries. */
export interface Answer {
  status: number;
  body: string;
  headers: Record<string, string>;
}

/** What every answer carries: no page may frame, sniff or cache it. */
export const EVERY_ANSWER: Readonly<Record<string, string>> = {
  "X-Frame-Options": "DENY",
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
};

/** On what a browser shows. JSON is not shown, and a report's answer should be short. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const JSON_TYPE = "application/json; charset=utf-8";

export function json(value: unknown, headers: Record<string, string> = {}): Answer {
  return { status: 200, body: JSON.stringify(value), headers: { "Content-Type": JSON_TYPE, ...headers } };
}

export function plainText(body: string, headers: Record<string, string> = {}): Answer {
  return {
    status: 200,
    body,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Content-Security-Policy": POLICY, ...headers },
  };
}

/** A page for a browser. It tells no other site where the person came from. */
export function html(body: string, policy: string): Answer {
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy,
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
  };
  return { status: 200, body, headers };
}

/** Why a request is refused. One status for each code; `docs/protocol.md` lists them. */
export const REFUSALS = {
  BAD_REQUEST: 400,
  BAD_JSON: 400,
  BAD_FIELD: 400,
  BAD_QUERY: 400,
  UPGRADE: 400,
  TOKEN: 401,
  HOST: 403,
  ORIGIN: 403,
  LINK: 403,
  ANSWERS_OFF: 403,
  NOT_FOUND: 404,
  NO_SESSION: 404,
  METHOD: 405,
  TIMEOUT: 408,
  STALE: 409,
  ANSWERED: 409,
  NOT_ANSWERABLE: 409,
  NOT_TAKEN: 409,
  GONE: 409,
  WAITING: 409,
  IDLE: 409,
  NOT_HERE: 409,
  TOO_LARGE: 413,
  CONTENT_TYPE: 415,
  EXPECT: 417,
  BUSY: 429,
  HEADERS: 431,
} as const;
export type RefusalCode = keyof typeof REFUSALS;

/** A refusal before it is an answer. */
export interface Refusal<Code extends RefusalCode = RefusalCode> {
  code: Code;
  message: string;
}

export function refuse(code: RefusalCode, message: string, headers: Record<string, string> = {}): Answer {
  const body: ErrorAnswer = { error: { code, message } };
  return { ...json(body, headers), status: REFUSALS[code] };
}
