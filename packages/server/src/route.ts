/** A route: what it is asked with, who may ask, and how it answers. `docs/openapi.json` is made from these. */
import { MAX_BODY_BYTES } from "@moth-companion/core/protocol";
import { type Answer, json, type Refusal, type RefusalCode, refuse } from "./answer.ts";
import type { AppParts } from "./app-parts.ts";
import type { Reader, Sink } from "./feed.ts";
import type { Readers } from "./guard.ts";
import type { Query } from "./query.ts";
import type { Body } from "./schema.ts";

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

/** A request that may be answered. */
interface Asked {
  /** What stands behind the `?`. */
  search: string;
  cors: Record<string, string>;
  head: Head;
  hasToken: boolean;
}

/** What a route that reads is asked with: no more of the query than it names, and no other refusals. */
export interface Read<Name extends string, Code extends RefusalCode> extends Omit<Asked, "search"> {
  query: Query<Name>;
  refuse: (code: Code, message: string) => Answer;
}

export interface Route {
  method: "GET" | "POST";
  /** `page`: the token, or the cookie and the key of a page that was opened with one. `link`: moth's own page asks, with a link's key in the body. */
  needs: "nothing" | "token" | "page" | "link";
  readers: Readers;
  /** What may stand behind the `?`. */
  query: readonly string[];
  body?: Body<unknown>;
  /** Why this one may refuse, beside the reasons there are for every route, for every secret one and for every post. */
  refusals: readonly RefusalCode[];
  reply(asked: Asked, parts: AppParts): Reply;
}

interface GetRule<Name extends string, Code extends RefusalCode> {
  needs: Exclude<Route["needs"], "link">;
  readers?: Readers;
  query?: readonly Name[];
  refusals?: readonly Code[];
}

export function get<Name extends string = never, Code extends RefusalCode = never>(
  { needs, readers = "local", query = [], refusals = [] }: GetRule<Name, Code>,
  reply: (read: Read<NoInfer<Name>, NoInfer<Code>>, parts: AppParts) => Reply,
): Route {
  return {
    method: "GET",
    needs,
    readers,
    query,
    refusals,
    reply({ search, cors, head, hasToken }, parts) {
      const refused = (code: Code, message: string): Answer => refuse(code, message, cors);
      return reply({ query: new URLSearchParams(search), cors, head, hasToken, refuse: refused }, parts);
    },
  };
}

/** What a post came to: the answer's body, a whole answer, or why it is refused after all. */
type Taken<Code extends RefusalCode> =
  | (object & { refusal?: never; answer?: never; then?: never })
  | { answer: Answer; refusal?: never }
  | { refusal: Refusal<Code> };

interface PostRule<T, Code extends RefusalCode> {
  needs: Exclude<Route["needs"], "nothing">;
  body: Body<T>;
  refusals?: readonly Code[];
}

export function post<T, Code extends RefusalCode = never>(
  { needs, body, refusals = [] }: PostRule<T, Code>,
  take: (value: NoInfer<T>, parts: AppParts, head: Head) => void | Taken<NoInfer<Code>> | Promise<Taken<NoInfer<Code>>>,
): Route {
  return {
    method: "POST",
    needs,
    readers: "local",
    query: [],
    body,
    refusals,
    reply({ head, cors }, parts) {
      const tooLarge = (): Answer => refuse("TOO_LARGE", `A body may have ${MAX_BODY_BYTES} bytes.`, cors);
      if (!/^application\/json\s*(?:;|$)/i.test(single(head.headers["content-type"]) ?? "")) {
        return { answer: refuse("CONTENT_TYPE", "The Content-Type must be application/json.", cors) };
      }
      if (Number(head.headers["content-length"] ?? 0) > MAX_BODY_BYTES) return { answer: tooLarge() };
      return {
        onTooLarge: tooLarge,
        onBody(text) {
          const given = parseObject(text);
          if (!given) return refuse("BAD_JSON", "The body must be a JSON object.", cors);
          const checked = body.read(given);
          if (!checked.ok) return refuse("BAD_FIELD", checked.message, cors);
          const taken = take(checked.value, parts, head) ?? { ok: true };
          const told = (result: Taken<Code>): Answer => {
            if (result.refusal) return refuse(result.refusal.code, result.refusal.message, cors);
            return result.answer ?? json(result, cors);
          };
          return taken instanceof Promise ? taken.then(told) : told(taken);
        },
      };
    },
  };
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(", ") : header;
}
