import { chmodSync, closeSync, fchmodSync, lstatSync, openSync, rmSync, type Stats, statSync, writeSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { makeFolder } from "@moth-companion/core/folder";
import { type Env, tokenFile } from "@moth-companion/core/paths";
import { readToken } from "@moth-companion/core/token";
import { errorCode, ServerError } from "./errors.ts";
import { ensureHome, isLoose, isOwn, removeIfPossible } from "./files.ts";

/** How long another server, that has just made the file, may take to write into it. */
const WRITING_MS = 500;

/**
 * The token, made when there is none: 32 random bytes in a file of mode 0600. A looser file is tightened. Two servers that start at
 * the same moment end up with one token. Throws ServerError `HOME` or `TOKEN`.
 */
export function ensureToken(env: Env = process.env): string {
  ensureHome(env);
  const file = tokenFile(env);
  return makeToken(file) ?? existingToken(file, env);
}

function makeToken(file: string): string | undefined {
  const token = randomBytes(32).toString("base64url");
  let descriptor: number;
  try {
    makeFolder(dirname(file), 0o700);
    descriptor = openSync(file, "wx", 0o600);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return undefined;
    throw problem(file, `cannot be made (${errorCode(error)})`, error);
  }
  try {
    // The umask may have taken bits away from what open() was asked for.
    if (process.platform !== "win32") fchmodSync(descriptor, 0o600);
    writeSync(descriptor, `${token}\n`);
  } catch (error) {
    // An empty one would stand in the way of the next start.
    removeIfPossible(file);
    throw problem(file, `cannot be written (${errorCode(error)})`, error);
  } finally {
    closeSync(descriptor);
  }
  return token;
}

function existingToken(file: string, env: Env): string {
  let stats: Stats;
  try {
    stats = lstatSync(file);
  } catch (error) {
    throw problem(file, `cannot be looked at (${errorCode(error)})`, error);
  }
  if (stats.isSymbolicLink()) throw problem(file, "is a symbolic link");
  if (!stats.isFile()) throw problem(file, "is not a file");
  if (!isOwn(stats)) throw problem(file, "belongs to another user");
  try {
    if (isLoose(stats)) chmodSync(file, 0o600);
  } catch (error) {
    throw problem(file, `is open to others and cannot be closed (${errorCode(error)})`, error);
  }
  for (let waited = 0; ; waited += 10) {
    const token = readToken(env);
    if (token !== undefined) return token;
    if (waited >= WRITING_MS) {
      const made = replaceEmpty(file);
      if (made === undefined) throw problem(file, "holds no usable token");
      return made;
    }
    pause(10);
  }
}

/** An empty file is what a server left that was killed, or lost its power, before it could write. There is no secret in it to lose. */
function replaceEmpty(file: string): string | undefined {
  try {
    if (statSync(file).size > 0) return undefined;
    rmSync(file);
  } catch (error) {
    throw problem(file, `is empty and cannot be replaced (${errorCode(error)})`, error);
  }
  return makeToken(file);
}

/** Blocks: this runs once, before the server listens. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function problem(file: string, what: string, cause?: unknown): ServerError {
  const advice = "Move it away and start moth again, or set MOTH_TOKEN_FILE to another file.";
  return new ServerError("TOKEN", `The token file ${file} ${what}. ${advice}`, { cause });
}
