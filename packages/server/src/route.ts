/** A route: what it is asked with, who may ask, and how it answers. */
import { MAX_BODY_BYTES } from "@moth-companion/core/protocol";
import { type Answer, json, type Refusal, refuse } from "./answer.ts";
import type { Reader, Sink } from "./feed.ts";
import type { createFetches } from "./fetches.ts";
import type { Readers } from "./guard.ts";
import type { Checked } from "./schema.ts";

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

export interface Asked {
  /** What stands behind the `?`. */
  search: string;
  cors: Record<string, string>;
  head: Head;
  hasToken: boolean;
}

export interface Route {
  method: "GET" | "POST";
  /** `page`: the token, or the cookie of a page that was opened with one. */
  needs: "nothing" | "token" | "page";
  readers: Readers;
  reply(asked: Asked): Reply;
}

/** What a post came to: the answer's body, or why it is refused after all. */
type Taken = object | { refusal: Refusal };

export function open(reply: Route["reply"]): Route {
  return { method: "GET", needs: "nothing", readers: "local", reply };
}

export function secret(reply: Route["reply"]): Route {
  return { method: "GET", needs: "page", readers: "local", reply };
}

export function adapters(fetch: ReturnType<typeof createFetches>["answers"]): Route {
  const reply: Route["reply"] = ({ search, cors, head }) => ({
    answer: fetch({ query: new URLSearchParams(search), cors, onClose: head.onClose }),
  });
  return { method: "GET", needs: "token", readers: "local", reply };
}

export function post<T>(
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
