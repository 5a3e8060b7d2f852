/** Asking moth for its roster and its log, from a program that has nothing else to do meanwhile: each keeps the process alive. */
import { type AskOptions, ask } from "./ask.ts";
import type { LogAnswer, SessionsAnswer } from "./protocol.ts";

/** Bytes of an answer that are read: more than the longest log there can be. */
const MAX_BYTES = 64 * 1024 * 1024;
const ANSWER_MS = 5000;

/** A place in a log. */
export interface Position {
  epoch: string;
  since: number;
}

type Polling = Pick<AskOptions, "env" | "signal">;

/** The roster; undefined when moth cannot be heard. */
export async function askRoster(polling: Polling): Promise<SessionsAnswer | undefined> {
  const answer = (await read("/api/sessions", ANSWER_MS, polling)) as Partial<SessionsAnswer> | undefined;
  return Array.isArray(answer?.sessions) && typeof answer.next === "number" ? (answer as SessionsAnswer) : undefined;
}

/** The log from a position on, as soon as there is something; undefined when moth cannot be heard. */
export async function askLog({ epoch, since }: Position, seconds: number, polling: Polling): Promise<LogAnswer | undefined> {
  const query = new URLSearchParams({ since: String(since), epoch, wait: seconds.toFixed(3) });
  const path = `/api/log?${query.toString()}`;
  const answer = (await read(path, seconds * 1000 + ANSWER_MS, polling)) as Partial<LogAnswer> | undefined;
  return Array.isArray(answer?.events) && typeof answer.next === "number" ? (answer as LogAnswer) : undefined;
}

async function read(path: string, timeoutMs: number, polling: Polling): Promise<unknown> {
  const asked = await ask(path, undefined, { ...polling, timeoutMs, maxBytes: MAX_BYTES, keepsAlive: true });
  return asked?.status === 200 && asked.body !== null ? asked.body : undefined;
}
