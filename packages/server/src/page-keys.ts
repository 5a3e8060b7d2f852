/** Who may use the page: one-time keys, and the cookies they are swapped for. In memory only, so a restart ends them all. */
import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "./clock.ts";

/** How long a link of `moth open` is good. */
export const KEY_MS = 60_000;
/** Links and browsers at once; the oldest gives way. */
const MAX_KEYS = 16;
const MAX_BROWSERS = 32;

export interface PageKeys {
  /** A key for one use within a minute. */
  invite(): string;
  /** Swaps a key for a `Set-Cookie` line; undefined when the key was used, is too old, or never was one. */
  redeem(key: string): string | undefined;
  /** Whether a Cookie header carries a cookie given here. */
  has(cookies: string | undefined): boolean;
}

/** @param port stands in the cookie's name: browsers share cookies among all ports of a host, and there may be two moths */
export function createPageKeys(clock: Clock, port: number): PageKeys {
  const name = `moth-${port}`;
  const keys = new Map<string, number>();
  // Only hashes are kept and looked up: how long a look-up takes tells nothing of a value.
  const browsers = new Set<string>();

  return {
    invite() {
      const key = secret();
      keys.set(hash(key), clock.now() + KEY_MS);
      trim(keys, MAX_KEYS);
      return key;
    },
    redeem(key) {
      const hashed = hash(key);
      const until = keys.get(hashed);
      keys.delete(hashed);
      // A clock that was set back must not make a link good for longer.
      const left = until === undefined ? 0 : until - clock.now();
      if (left <= 0 || left > KEY_MS) return undefined;
      const value = secret();
      browsers.add(hash(value));
      trim(browsers, MAX_BROWSERS);
      return `${name}=${value}; HttpOnly; SameSite=Strict; Path=/`;
    },
    has(cookies) {
      if (cookies === undefined || browsers.size === 0) return false;
      return cookies.split(";").some((cookie) => {
        const at = cookie.indexOf("=");
        return cookie.slice(0, at).trim() === name && browsers.has(hash(cookie.slice(at + 1).trim()));
      });
    },
  };
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

function hash(value: string): string {
  return createHash("sha256").update(value).digest("base64url");
}

function trim(entries: Map<string, number> | Set<string>, max: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(oldest);
  }
}
