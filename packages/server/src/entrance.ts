/** Where a browser comes in: the front door, and the links of `moth open`. */
import type { EnterAnswer, EnterRequest } from "@moth-companion/core/protocol";
import { type Answer, html, json, plainText, type Refusal } from "./answer.ts";
import type { AppParts } from "./app-parts.ts";
import { type Head, type Read, type Reply, single } from "./route.ts";

/** The page for a browser, a few words for a program. */
export function frontDoor({ head, cors }: Read<never, never>, { page, self = "moth" }: AppParts): Reply {
  const isBrowser = /\btext\/html\b/i.test(single(head.headers["accept"]) ?? "");
  return { answer: isBrowser ? shell(page) : plainText(greeting(self), cors) };
}

/** A link leads to the page, whatever its key is worth: the page swaps it, and whoever only looks where a link leads uses nothing up. */
export function opened(_read: Read<"key", never>, { page }: AppParts): Reply {
  return { answer: shell(page) };
}

export function enter(
  { key }: EnterRequest,
  { keys }: AppParts,
  { headers }: Head,
): { answer: Answer } | { refusal: Refusal<"LINK"> } {
  const entered = keys.enter(key, single(headers["cookie"]));
  if (!entered) {
    return {
      refusal: { code: "LINK", message: "This link has been used, or is older than 60 seconds. moth open makes another." },
    };
  }
  const { pageKey, setCookie } = entered;
  return { answer: json({ pageKey } satisfies EnterAnswer, setCookie === undefined ? {} : { "Set-Cookie": setCookie }) };
}

function shell(page: AppParts["page"]): Promise<Answer> {
  return page().then(({ html: body, policy }) => html(body, policy));
}

function greeting(self: string): string {
  return `This is moth. It hears your coding agents and tells you which one finished, failed, or waits for you.
Look with:  ${self} open   or   ${self} tail   or   ${self} ps
`;
}
