/** Where a browser comes in: the front door, and the links of `moth open`. */
import { type Answer, html, plainText, seeOther } from "./answer.ts";
import type { AppParts } from "./app-parts.ts";
import { type Read, type Reply, single } from "./route.ts";

/** The page for a browser, a few words for a program. */
export function frontDoor({ head, cors }: Read<never, never>, { page, self = "moth" }: AppParts): Reply {
  const isBrowser = /\btext\/html\b/i.test(single(head.headers["accept"]) ?? "");
  return { answer: isBrowser ? shell(page) : plainText(greeting(self), cors) };
}

/** One that was used takes a browser that is in already to the page all the same. */
export function enter({ query, head }: Read<"key", never>, { keys, page }: AppParts): Reply {
  const cookie = keys.redeem(query.get("key") ?? "");
  if (cookie !== undefined) return { answer: seeOther("/", { "Set-Cookie": cookie }) };
  return { answer: keys.has(single(head.headers["cookie"])) ? seeOther("/") : shell(page, 403) };
}

function shell(page: AppParts["page"], status = 200): Promise<Answer> {
  return page().then(({ html: body, policy }) => html(body, policy, status));
}

function greeting(self: string): string {
  return `This is moth. It hears your coding agents and tells you which one finished, failed, or waits for you.
Look with:  ${self} open   or   ${self} tail   or   ${self} ps
`;
}
