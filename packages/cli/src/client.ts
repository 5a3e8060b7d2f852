/** The commands' side of moth's API. */
import { mothAddress } from "@moth-companion/core/config";
import { isOwnMoth, isThisMachine, runsHere } from "@moth-companion/core/own-moth";
import { type Address, authority, type Env, tokenFile } from "@moth-companion/core/paths";
import {
  type AnswerRequest,
  type HealthAnswer,
  type LogAnswer,
  type NotifyAnswer,
  type OrderRequest,
  type Reply,
  type SessionsAnswer,
  TOKEN_HEADER,
} from "@moth-companion/core/protocol";
import { readToken } from "@moth-companion/core/token";
import { readHealth, readLast, readLink, readLog, readNotify, readRefusal, readSessions } from "./answers.ts";
import { Failure } from "./errors.ts";
import { type HttpAnswer, type HttpFault, request } from "./http.ts";

export interface Client {
  readonly url: string;
  /** No token needed. */
  health(): Promise<HealthAnswer>;
  sessions(signal?: AbortSignal): Promise<SessionsAnswer>;
  /** @param from.wait seconds to wait for news */
  log(from: { since: number; epoch: string | undefined; wait?: number }, signal?: AbortSignal): Promise<LogAnswer>;
  chat(text: string): Promise<void>;
  /** @param everything the roster and moth's own memory too, not only the conversation */
  reset(everything: boolean): Promise<void>;
  /** How notifications are doing. */
  notify(): Promise<NotifyAnswer>;
  /** Shows a notice. */
  testNotify(): Promise<NotifyAnswer>;
  /** @param whom without it, everything @param seconds without them, until it is taken away */
  mute(whom: Whom | undefined, how: { seconds?: number } | { off: true }): Promise<NotifyAnswer>;
  /** The person has looked: at one session, or at all. */
  seen(whom: Whom | undefined): Promise<void>;
  /** Answers what a session waits for. @throws Failure with why it was not taken */
  answer(request: AnswerRequest): Promise<void>;
  /** Has a session do something. @throws Failure with why it was not taken */
  order(request: OrderRequest): Promise<void>;
  /** The last reply of a session; null when none was heard. */
  last(whom: Whom): Promise<Reply | null>;
  /** @returns a link to moth's page, good once and for a minute */
  open(): Promise<string>;
}

/** One session. */
interface Whom {
  source: string;
  session: string;
}

/** What answers at moth's address. */
export type Probe =
  | { found: "moth"; url: string; health: HealthAnswer }
  | { found: "other"; url: string; what: string }
  | { found: "nothing"; url: string }
  /** A moth with no connection left to answer by. */
  | { found: "busy"; url: string };

const ANSWER_TIMEOUT_MS = 5000;
const SMALL_BYTES = 64 * 1024;
/** The longest reply that a report can carry, each character of it escaped. */
const LAST_BYTES = 1024 * 1024;
/** A full log of the longest replies. */
const LOG_BYTES = 256 * 1024 * 1024;

/** @throws Failure ADDRESS when there is no address to talk to; each method: Failure with what is wrong and what to do */
export function createClient(env: Env, at?: Address): Client {
  const address = at ?? requireAddress(env);
  const url = `http://${authority(address)}`;

  const send = async (
    method: "GET" | "POST",
    path: string,
    more: Partial<Parameters<typeof request>[1]> = {},
  ): Promise<HttpAnswer> => {
    const answer = await request(address, { method, path, timeoutMs: ANSWER_TIMEOUT_MS, maxBytes: SMALL_BYTES, ...more });
    if (isBusy(answer, address, env)) throw busy(url);
    if (answer.kind === "unreachable") {
      throw new Failure("NOT_RUNNING", `moth is not running at ${url} (${answer.why})`, "Start it: moth up");
    }
    if (answer.kind === "garbled") {
      throw new Failure("NOT_MOTH", `what answers at ${url} is no moth (${answer.why})`, "See what it is: moth doctor");
    }
    return answer;
  };
  const health = async (): Promise<HealthAnswer> => {
    const answer = await send("GET", "/api/health");
    const health = readHealth(answer.json);
    if (health) return health;
    throw new Failure("NOT_MOTH", `what answers at ${url} is no moth (${describe(answer)})`, "See what it is: moth doctor");
  };
  const withToken = async (
    method: "GET" | "POST",
    path: string,
    more: Partial<Parameters<typeof request>[1]> = {},
  ): Promise<unknown> => {
    // Read anew each time: a new token needs no restart of what is watching.
    const token = readToken(env);
    if (!token) {
      await health();
      throw new Failure(
        "TOKEN",
        `no usable token in ${tokenFile(env)}`,
        runsHere(address, env)
          ? "It was removed while moth runs. A new one is made by: moth stop, then moth up -d"
          : "It is made by moth up. Is the running moth another person's?",
      );
    }
    if (!isOwnMoth(address, env)) {
      await health();
      if (!isThisMachine(address)) throw foreign(url);
      throw new Failure(
        "NOT_MOTH",
        `what answers at ${url} is not known to be a moth of yours, so it was not told the token`,
        "See what it is: moth doctor",
      );
    }
    const answer = await send(method, path, { headers: { [TOKEN_HEADER]: token }, ...more });
    if (answer.status === 200 && answer.json !== undefined) return answer.json;
    throw refused(url, answer, env);
  };

  return {
    url,
    health,
    async sessions(signal) {
      return (
        readSessions(await withToken("GET", "/api/sessions", { maxBytes: LOG_BYTES, ...(signal && { signal }) })) ?? noMoth(url)
      );
    },
    async log({ since, epoch, wait }, signal) {
      const query = new URLSearchParams({ since: String(since) });
      if (epoch !== undefined) query.set("epoch", epoch);
      if (wait !== undefined) query.set("wait", String(wait));
      const timeoutMs = ANSWER_TIMEOUT_MS + (wait ?? 0) * 1000;
      const json = await withToken("GET", `/api/log?${query.toString()}`, {
        timeoutMs,
        maxBytes: LOG_BYTES,
        ...(signal && { signal }),
      });
      return readLog(json) ?? noMoth(url);
    },
    async chat(text) {
      // moth's voice may think before it answers.
      await withToken("POST", "/api/chat", { body: JSON.stringify({ text }), timeoutMs: 15_000 });
    },
    async reset(everything) {
      await withToken("POST", "/api/reset", { body: JSON.stringify(everything ? { everything: true } : {}) });
    },
    notify: async () => readNotify(await withToken("GET", "/api/notify")) ?? noMoth(url),
    testNotify: async () =>
      // Every back-end tries, and may take its time.
      readNotify(await withToken("POST", "/api/notify/test", { body: "{}", timeoutMs: 15_000 })) ?? noMoth(url),
    mute: async (whom, how) =>
      readNotify(await withToken("POST", "/api/mute", { body: JSON.stringify({ ...whom, ...how }) })) ?? noMoth(url),
    async seen(whom) {
      await withToken("POST", "/api/seen", { body: JSON.stringify(whom ?? {}) });
    },
    async answer(request) {
      // The harness has 5 s to say that it has it.
      await withToken("POST", "/api/answer", { body: JSON.stringify(request), timeoutMs: 10_000 });
    },
    async order(request) {
      // The harness has 5 s to say that it has it, and 3 to begin.
      await withToken("POST", "/api/order", { body: JSON.stringify(request), timeoutMs: 15_000 });
    },
    async last({ source, session }) {
      const query = new URLSearchParams({ source, session });
      const reply = readLast(await withToken("GET", `/api/last?${query.toString()}`, { maxBytes: LAST_BYTES }));
      return reply === undefined ? noMoth(url) : reply;
    },
    async open() {
      return readLink(await withToken("POST", "/api/open", { body: "{}" }), url) ?? noMoth(url);
    },
  };
}

/** Asks whatever is at moth's address who it is. */
export async function probe(env: Env, at?: Address): Promise<Probe> {
  const address = at ?? requireAddress(env);
  const url = `http://${authority(address)}`;
  const answer = await request(address, { method: "GET", path: "/api/health", timeoutMs: 2000, maxBytes: SMALL_BYTES });
  if (isBusy(answer, address, env)) return { found: "busy", url };
  if (answer.kind === "unreachable") return { found: "nothing", url };
  if (answer.kind === "garbled") return { found: "other", url, what: answer.why };
  const health = readHealth(answer.json);
  return health ? { found: "moth", url, health } : { found: "other", url, what: describe(answer) };
}

/** Past its bound moth refuses connections with words, and twice past it hangs up. */
function isBusy(answer: HttpAnswer | HttpFault, address: Address, env: Env): boolean {
  if (answer.kind === "answer") return answer.status === 429 && readRefusal(answer.json)?.code === "BUSY";
  return answer.kind === "unreachable" && !answer.isRefused && runsHere(address, env);
}

export function busy(url: string): Failure {
  return new Failure(
    "BUSY",
    `the moth at ${url} is busy: it serves as many connections as it can`,
    "Close some of what is connected to it (pages, moth tail, status bars), or ask again in a moment",
  );
}

/** What answers is on another machine. */
function foreign(url: string): Failure {
  return new Failure(
    "NOT_MOTH",
    `${url} is another machine, so what answers there was not told the token`,
    "moth's token never leaves its machine. Have that port led to this one, by ssh -L perhaps, and name it here by MOTH_URL",
  );
}

/** @throws Failure ADDRESS */
export function requireAddress(env: Env): Address {
  const address = mothAddress(env);
  if (address) return address;
  throw new Failure(
    "ADDRESS",
    `MOTH_URL is "${env["MOTH_URL"]}", which is no http:// address`,
    "Set it like http://127.0.0.1:4747, or unset it",
  );
}

/** Why an answer was not taken, and what to do then: the message says what is wrong, and moth is well. */
const ANSWER_REFUSALS: Readonly<Record<string, string>> = {
  ANSWERS_OFF: "Then the agents you start, or that ask, from now on can be answered",
  NO_SESSION: "See which there are: moth ps",
  STALE: "See what it waits for: moth ps",
  ANSWERED: "See what it does now: moth ps",
  // Whoever asks knows the session, and so where that is: see `whereItRuns`.
  NOT_ANSWERABLE: "",
  NOT_TAKEN: "See what it does now: moth ps",
  GONE: "See which run: moth ps",
  WAITING: "See what it asks: moth answer, with its name",
  IDLE: "See what it does now: moth ps",
  NOT_HERE: "",
};

function refused(url: string, answer: HttpAnswer, env: Env): Failure {
  const refusal = readRefusal(answer.json);
  if (!refusal)
    return new Failure("NOT_MOTH", `what answers at ${url} is no moth (${describe(answer)})`, "See what it is: moth doctor");
  if (answer.status === 401) {
    return new Failure(
      "TOKEN",
      `the moth at ${url} does not take the token in ${tokenFile(env)}`,
      "It was started with another one (another person, another MOTH_HOME), or the token is newer than it: moth stop, then moth up",
    );
  }
  if (answer.status === 413)
    return new Failure("USAGE", "that is more than the 64 KB that moth carries at once", "Put it into a file, and name the file");
  const next = ANSWER_REFUSALS[refusal.code];
  if (next !== undefined) return new Failure("FAILED", refusal.message.replace(/\.$/, ""), next);
  return new Failure("REFUSED", `the moth at ${url} refused: ${refusal.message} (${refusal.code})`, "See moth doctor");
}

function noMoth(url: string): never {
  throw new Failure(
    "NOT_MOTH",
    `the answer of ${url} is not a moth's`,
    "Are both of the same version? See moth status and moth --version",
  );
}

function describe(answer: HttpAnswer): string {
  return `an HTTP server that answered ${answer.status}${answer.server ? `, ${answer.server}` : ""}`;
}
