/** Who may ask for what. Pure: answers about headers, nothing else. */
import { timingSafeEqual } from "node:crypto";
import { authority } from "@moth-companion/core/paths";

/**
 * The Host headers that are answered: this machine's own names, and the address it was told to listen on. A website that points its
 * own domain here (DNS rebinding) sends another.
 */
export function allowedHosts(host: string, port: number): ReadonlySet<string> {
  const names = ["127.0.0.1", "localhost", "::1", host.toLowerCase()];
  const hosts = names.map((name) => authority({ host: name, port }));
  // Clients leave the default port of HTTP out.
  return new Set(port === 80 ? [...hosts, ...hosts.map((name) => name.replace(/:80$/, ""))] : hosts);
}

/** Whether there is exactly one Host header, and an allowed one. `raw`: names and values in turn, as Node's `rawHeaders`. */
export function isAllowedHost(raw: readonly string[], hosts: ReadonlySet<string>): boolean {
  let host: string | undefined;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!;
    if (name.length !== 4 || name.toLowerCase() !== "host") continue;
    if (host !== undefined) return false;
    host = raw[at + 1]!.toLowerCase();
  }
  return host !== undefined && hosts.has(host);
}

/**
 * What an Origin header tells of the asker: `none`, no browser page · `local`, a page served by this machine · `shell`, a desktop
 * program's own page, or any page that hides where it comes from · `foreign`, the rest.
 */
export type Origin = "none" | "local" | "shell" | "foreign";

export function originOf(header: string | undefined): Origin {
  if (header === undefined) return "none";
  if (/^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(header)) return "local";
  return header === "null" || /^(?:app|file):\/\//i.test(header) ? "shell" : "foreign";
}

/** What pages a route's answers are for. `public`: without the token's worth of secrets, so shells may read it too. */
export type Readers = "local" | "public";

/** The headers that let a page read the answer; none when it may not. */
export function corsHeaders(header: string | undefined, readers: Readers): Record<string, string> {
  const origin = originOf(header);
  const mayRead = origin === "local" || (origin === "shell" && readers === "public");
  // Caches, were there any, must not give one origin's answer to another.
  if (header === undefined || !mayRead) return {};
  return { "Access-Control-Allow-Origin": header, Vary: "Origin" };
}

/** Answers of a preflight: `headers` of a page that may ask, undefined when it may not. */
export function preflight(header: string | undefined, readers: Readers, methods: string): Record<string, string> | undefined {
  const cors = corsHeaders(header, readers);
  if (Object.keys(cors).length === 0) return undefined;
  const asLocal = originOf(header) === "local";
  return {
    ...cors,
    "Access-Control-Allow-Methods": methods,
    ...(asLocal ? { "Access-Control-Allow-Headers": "Content-Type, X-Moth-Token, Last-Event-ID" } : {}),
    "Access-Control-Max-Age": "600",
  };
}

/** Whether a request's token is the server's. Takes the same time whatever was given. */
export function tokenCheck(token: string): (given: string | undefined) => boolean {
  const own = Buffer.from(token);
  const padded = Buffer.alloc(own.length);
  return (given = "") => {
    padded.fill(0);
    padded.write(given);
    return timingSafeEqual(padded, own) && given.length === token.length;
  };
}

/**
 * Whether moth's own page asks, by the word of its browser: browsers tell who asks in headers that no page can set. A program can, so it
 * takes more than that: what the page was given, see `page-keys.ts`.
 */
export function isOwnPage(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  const { origin, host } = headers;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return false;
  if (origin !== undefined) return typeof host === "string" && origin === `http://${host}`;
  return site === "same-origin";
}
