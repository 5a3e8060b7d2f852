/**
 * Who may use the page: the one-time keys of links, and what they are swapped for. In memory only, so a restart ends them all.
 * A browser hands the cookie to every port of its host, whoever listens there. So it opens nothing without the page's key, which the page
 * keeps where only its own address and port can read it; and nothing is ever given for a cookie.
 */
import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "./clock.ts";

/** How long a link of `moth open` is good. */
export const KEY_MS = 60_000;
/** Links and page keys at once; the oldest link and the key not used for longest give way. */
const MAX_LINKS = 16;
const MAX_PAGES = 32;

/** What a page asks with. `setCookie`: a `Set-Cookie` line, for a browser that has no cookie of ours. */
export interface Entered {
  pageKey: string;
  setCookie?: string;
}

export interface PageKeys {
  /** A link's key, for one use within a minute. */
  invite(): string;
  /** Swaps a link's key; undefined when it was used, is too old, or never was one. `cookies`: the Cookie header it came with. */
  enter(key: string, cookies: string | undefined): Entered | undefined;
  /** Whether a page's key was given here, and to the browser of the cookie that comes with it. */
  has(pageKey: string | undefined, cookies: string | undefined): boolean;
}

/** @param port stands in the cookie's name: browsers share cookies among all ports of a host, and there may be two moths */
export function createPageKeys(clock: Clock, port: number): PageKeys {
  const name = `moth-${port}`;
  const links = new Map<string, number>();
  // Only hashes are kept and looked up: how long a look-up takes tells nothing of a value.
  /** The cookie of each page key. */
  const pages = new Map<string, string>();

  /** What a Cookie header holds under our name. A page of another port may have added to it. */
  function ownCookies(cookies: string): string[] {
    return cookies.split(";").flatMap((cookie) => {
      const at = cookie.indexOf("=");
      return cookie.slice(0, at).trim() === name ? [hash(cookie.slice(at + 1).trim())] : [];
    });
  }
  function remember(pageKey: string, cookie: string): void {
    pages.delete(pageKey);
    pages.set(pageKey, cookie);
    trim(pages, MAX_PAGES);
  }

  return {
    invite() {
      const key = secret();
      links.set(hash(key), clock.now() + KEY_MS);
      trim(links, MAX_LINKS);
      return key;
    },
    enter(key, cookies = "") {
      const hashed = hash(key);
      const until = links.get(hashed);
      links.delete(hashed);
      // A clock that was set back must not make a link good for longer.
      const left = until === undefined ? 0 : until - clock.now();
      if (left <= 0 || left > KEY_MS) return undefined;
      const pageKey = secret();
      // A browser that is in keeps its cookie: its other tabs go on with the keys they have.
      const known = new Set(pages.values());
      const cookie = ownCookies(cookies).find((one) => known.has(one));
      if (cookie !== undefined) {
        remember(hash(pageKey), cookie);
        return { pageKey };
      }
      const value = secret();
      remember(hash(pageKey), hash(value));
      return { pageKey, setCookie: `${name}=${value}; HttpOnly; SameSite=Strict; Path=/` };
    },
    has(pageKey, cookies) {
      if (pageKey === undefined || cookies === undefined || pages.size === 0) return false;
      const hashed = hash(pageKey);
      const cookie = pages.get(hashed);
      if (cookie === undefined || !ownCookies(cookies).includes(cookie)) return false;
      remember(hashed, cookie);
      return true;
    },
  };
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

function hash(value: string): string {
  return createHash("sha256").update(value).digest("base64url");
}

function trim(entries: Map<string, unknown>, max: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(oldest);
  }
}
