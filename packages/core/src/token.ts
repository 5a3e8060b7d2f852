import { readFileSync } from "node:fs";
import { type Env, tokenFile } from "./paths.ts";

/**
 * The token as it stands in its file now. Read anew for every report, so that a new token needs no restart of a harness.
 * @returns undefined when there is no file, or what it holds could not stand in a header.
 */
export function readToken(env: Env = process.env): string | undefined {
  try {
    const token = readFileSync(tokenFile(env), "utf8").trim();
    return isToken(token) ? token : undefined;
  } catch {
    return undefined;
  }
}

/** Visible ASCII, 16 to 512 characters: long enough to be a secret, and safe in a header. */
export function isToken(token: string): boolean {
  return /^[!-~]{16,512}$/.test(token);
}
