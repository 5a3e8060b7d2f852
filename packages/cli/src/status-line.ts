/**
 * `moth status --line`: one short line for tmux, starship or a status bar, which ask every few seconds. Started by `bin` itself, past every
 * other command, on a raw socket: it must cost little more than starting Node.
 */
import { writeSync } from "node:fs";
import { connect } from "node:net";
import { mothAddress } from "@moth-companion/core/config";
import { isOwnMoth } from "@moth-companion/core/own-moth";
import { authority, type Env } from "@moth-companion/core/paths";
import { TOKEN_HEADER } from "@moth-companion/core/protocol";
import { readToken } from "@moth-companion/core/token";

const TIMEOUT_MS = 1000;
const MAX_BYTES = 16 * 1024 * 1024;

/** What a row of the roster must have to be counted. */
interface Row {
  state?: unknown;
  unread?: unknown;
}

/** Prints the line, or nothing. @returns the exit code: 0 with an answer, 3 when no moth runs, 1 when it does not take the token */
export async function statusLine(env: Env): Promise<number> {
  const answer = await ask(env);
  if (answer === undefined) return 3;
  const rows = rowsOf(answer);
  if (!rows) return 1;
  try {
    writeSync(1, `${lineOf(rows)}\n`);
  } catch {
    // Nobody reads it any more.
  }
  return 0;
}

/** `2 wait · 1 failed · 1 works · 3 done`: what wants the person first; `failed` and `done` until they have looked. Empty: all is quiet. */
export function lineOf(rows: readonly Row[]): string {
  const count = (fits: (row: Row) => boolean): number => rows.filter(fits).length;
  const waits = count(({ state }) => state === "waiting");
  const works = count(({ state }) => state === "working");
  const failed = count(({ unread }) => unread === "failed" || unread === "limit");
  const done = count(({ unread }) => unread === "finished");
  return [
    waits > 0 ? `${waits} ${waits === 1 ? "waits" : "wait"}` : "",
    failed > 0 ? `${failed} failed` : "",
    works > 0 ? `${works} ${works === 1 ? "works" : "work"}` : "",
    done > 0 ? `${done} done` : "",
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

/** The whole HTTP answer as text; undefined: nothing answers. */
function ask(env: Env): Promise<string | undefined> {
  const address = mothAddress(env);
  if (!address || !isOwnMoth(address, env)) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const socket = connect(address.port, address.host);
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(size > 0 ? Buffer.concat(chunks).toString("utf8") : undefined);
    };
    const timer = setTimeout(end, TIMEOUT_MS);
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BYTES) end();
    });
    socket.on("error", end);
    socket.on("close", end);
    const lines = ["GET /api/sessions HTTP/1.1", `Host: ${authority(address)}`, "Connection: close"];
    socket.write([...lines, `${TOKEN_HEADER}: ${readToken(env) ?? ""}`, "", ""].join("\r\n"));
  });
}

function rowsOf(answer: string): Row[] | undefined {
  try {
    if (!answer.startsWith("HTTP/1.1 200 ")) return undefined;
    const body: unknown = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
    const rows = typeof body === "object" && body !== null && "sessions" in body ? body.sessions : undefined;
    return Array.isArray(rows) ? rows.filter((row): row is Row => typeof row === "object" && row !== null) : undefined;
  } catch {
    return undefined;
  }
}
