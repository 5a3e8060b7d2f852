/**
 * `moth status --line`: one short line for tmux, starship or a status bar, which ask every few seconds. Started by `bin` itself, past every
 * other command: it must cost little more than starting Node.
 */
import { writeSync } from "node:fs";
import { mothAddress } from "@moth-companion/core/config";
import { isOwnMoth } from "@moth-companion/core/own-moth";
import type { Env } from "@moth-companion/core/paths";
import { TOKEN_HEADER } from "@moth-companion/core/protocol";
import { readToken } from "@moth-companion/core/token";
import { type HttpAnswer, request } from "./http.ts";

const TIMEOUT_MS = 1000;
const MAX_BYTES = 16 * 1024 * 1024;

/** What a row of the roster must have to be counted. */
interface Row {
  state?: unknown;
  unread?: unknown;
}

/** Prints the line, or nothing. @returns the exit code: 0 with an answer, 3 when no moth runs, 1 when it does not take the token */
export async function statusLine(env: Env): Promise<number> {
  const address = mothAddress(env);
  if (!address || !isOwnMoth(address, env)) return 3;
  const headers = { [TOKEN_HEADER]: readToken(env) ?? "" };
  const asked = { method: "GET", path: "/api/sessions", headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES } as const;
  const answer = await request(address, asked);
  if (answer.kind !== "answer") return 3;
  const roster = rosterOf(answer);
  if (!roster) return 1;
  try {
    writeSync(1, `${lineOf(roster.rows, roster.isAway)}\n`);
  } catch {
    // Nobody reads it any more.
  }
  return 0;
}

/**
 * `away · 2 wait · 1 failed · 1 works · 3 done`: what wants the person first; `failed` and `done` until they have looked. Empty: all is
 * quiet, and the person is there.
 */
export function lineOf(rows: readonly Row[], isAway = false): string {
  const count = (fits: (row: Row) => boolean): number => rows.filter(fits).length;
  const waits = count(({ state }) => state === "waiting");
  const works = count(({ state }) => state === "working");
  const failed = count(({ unread }) => unread === "failed" || unread === "limit");
  const done = count(({ unread }) => unread === "finished");
  return [
    isAway ? "away" : "",
    waits > 0 ? `${waits} ${waits === 1 ? "waits" : "wait"}` : "",
    failed > 0 ? `${failed} failed` : "",
    works > 0 ? `${works} ${works === 1 ? "works" : "work"}` : "",
    done > 0 ? `${done} done` : "",
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

function rosterOf({ status, json }: HttpAnswer): { rows: Row[]; isAway: boolean } | undefined {
  if (status !== 200 || typeof json !== "object" || json === null || !("sessions" in json)) return undefined;
  const { sessions } = json;
  if (!Array.isArray(sessions)) return undefined;
  const rows = sessions.filter((row): row is Row => typeof row === "object" && row !== null);
  return { rows, isAway: "away" in json && json.away === true };
}
