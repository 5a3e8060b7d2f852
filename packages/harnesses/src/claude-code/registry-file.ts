/**
 * Claude Code's own note of a running session, `<config>/sessions/<pid>.json`, rewritten at each change (2.1.332). Undocumented: what
 * does not look as expected counts as missing. The `.key` file beside it is none of moth's business.
 */
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";

const MAX_BYTES = 64 * 1024;

export interface SessionNote {
  session: string;
  /** `busy` also while a subagent runs; `shell`: idle, with a shell in the background. */
  status: "busy" | "waiting" | "idle";
  /** With `waiting`: `permission prompt`, `input needed`, ... */
  waitingFor?: string;
  /** Milliseconds since 1970. */
  since: number;
}

const STATUS: Readonly<Record<string, SessionNote["status"]>> = { busy: "busy", waiting: "waiting", idle: "idle", shell: "idle" };

/** Reads one note. Nothing but id, status and time is kept of it. */
export function readNote(configDir: string, pid: number): SessionNote | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  const file = join(configDir, "sessions", `${pid}.json`);
  try {
    const stat = lstatSync(file);
    if (!stat.isFile() || stat.size > MAX_BYTES) return undefined;
    return parseNote(JSON.parse(readFileSync(file, "utf8")), pid);
  } catch {
    // Gone, or caught half written: the next look tells.
    return undefined;
  }
}

function parseNote(value: unknown, pid: number): SessionNote | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { pid: own, sessionId, status, waitingFor, statusUpdatedAt } = value as Readonly<Record<string, unknown>>;
  const known = typeof status === "string" && Object.hasOwn(STATUS, status) ? STATUS[status] : undefined;
  if (own !== pid || typeof sessionId !== "string" || known === undefined || typeof statusUpdatedAt !== "number")
    return undefined;
  return { session: sessionId, status: known, since: statusUpdatedAt, ...(typeof waitingFor === "string" && { waitingFor }) };
}
