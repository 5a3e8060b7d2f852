/** moth for scripts: who is there, wait for one, what it said last, answer it, follow all. */
import { ask } from "./ask.ts";
import { mothAddress } from "./config.ts";
import { newestGone, sessionsMeant } from "./find-session.ts";
import { runsHere } from "./own-moth.ts";
import type { Env } from "./paths.ts";
import { pause } from "./pause.ts";
import { askLog, askRoster, type Position } from "./poll.ts";
import {
  type Answer,
  type AnswerRequest,
  type ErrorAnswer,
  type LastAnswer,
  type MothEvent,
  type Order,
  type OrderRequest,
  type Reply,
  type Session,
  MAX_BODY_BYTES,
} from "./protocol.ts";
import { readToken } from "./token.ts";
import { type Waited, waitForState, type WaitOptions } from "./wait.ts";

export type { Reply, Session } from "./protocol.ts";
export type { Waited, WaitFor, WaitOptions } from "./wait.ts";

/** A session: a row of the roster, or what the person calls it (its label, or the beginning of its id). */
export type Whom = string | { source: string; session: string };

/** What moth's scripts may do. Every method keeps the process alive while it waits, and throws {@link MothError}. */
export interface MothClient {
  /** The roster, those that are gone too. */
  sessions(): Promise<Session[]>;
  /** @throws MothError NO_SESSION, or SEVERAL when the word means more than one */
  session(whom: Whom): Promise<Session>;
  /**
   * Waits until a session is idle or waits for the person, or for what `options.for` says; ends at once when it is so now. Across
   * restarts of moth. What this client has answered is waited for no more.
   */
  wait(whom: Whom, options?: WaitOptions): Promise<Waited>;
  /** The final reply of its newest turn; undefined when none was heard. */
  last(whom: Whom): Promise<Reply | undefined>;
  /**
   * Answers what a session waits for.
   * @param answer.wait the id of the wait that is meant, as `session.wait.id` has it: one that has come since is not hit
   * @throws MothError with the code of the refusal, such as STALE or ANSWERS_OFF
   */
  answer(whom: Whom, answer: Answer & { wait: string }): Promise<void>;
  /**
   * Sends a message to a session, as its next prompt: at once when it is idle, after the turn that runs when it is not.
   * @throws MothError with the code of the refusal: NOT_HERE where the session takes none, WAITING while it asks something
   */
  say(whom: Whom, text: string): Promise<void>;
  /** Ends the turn that runs, as Escape in its window does. @throws MothError with the code of the refusal, such as IDLE */
  abort(whom: Whom): Promise<void>;
  /** Every event from now on, across restarts of moth, until `signal` ends it. Does not throw. */
  follow(options?: { signal?: AbortSignal }): AsyncGenerator<MothEvent, void, undefined>;
}

export class MothError extends Error {
  override readonly name = "MothError";
  /** `NOT_RUNNING`, `BUSY`, `SEVERAL`, or a code of a refusal: `docs/protocol.md` lists them. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const ANSWER_MS = 5000;
/** The harness has 5 s to say that it has the answer. */
const TAKEN_MS = 10_000;
const POLL_SECONDS = 25;
const RETRY_MS = 1000;
const TOO_LARGE_WORDS = "That is more than the 64 KB that moth carries at once. Put it into a file, and name the file.";
const BUSY_WORDS =
  "moth is busy and did not answer. Close some of what is connected to it (pages, moth tail), or ask again in a moment.";

/** @param options.env where moth, its token and its settings are looked for; the process's own unless given */
export function createClient({ env = process.env }: { env?: Env } = {}): MothClient {
  /** The last wait of each session that was answered here: it may show a little longer. */
  const answered = new Map<string, string>();

  async function request(path: string, body?: object): Promise<unknown> {
    if (body && Buffer.byteLength(JSON.stringify(body)) > MAX_BODY_BYTES) throw new MothError("TOO_LARGE", TOO_LARGE_WORDS);
    const asked = await ask(path, body, { env, timeoutMs: body ? TAKEN_MS : ANSWER_MS, keepsAlive: true });
    if (!asked) throw unheard(env);
    if (asked.status === 200) return asked.body;
    const { error } = asked.body as Partial<ErrorAnswer>;
    throw new MothError(error?.code ?? "NOT_RUNNING", error?.message ?? "What answers at moth's address is no moth.");
  }

  async function sessions(): Promise<Session[]> {
    const roster = await askRoster({ env });
    if (roster) return roster.sessions;
    // Why not?
    await request("/api/sessions");
    throw unheard(env);
  }

  async function session(whom: Whom): Promise<Session> {
    const all = await sessions();
    const meant = typeof whom === "string" ? sessionsMeant(whom, all) : all.filter((one) => keyOf(one) === keyOf(whom));
    const [found, ...others] = meant;
    const word = typeof whom === "string" ? whom : `${whom.source} ${whom.session}`;
    if (!found) throw new MothError("NO_SESSION", `There is no session "${word}".`);
    const newest = newestGone(meant);
    if (newest) return newest;
    if (others.length > 0) throw new MothError("SEVERAL", `"${word}" is ${meant.map(({ label }) => `"${label}"`).join(", ")}.`);
    return found;
  }

  async function order(whom: Whom, what: Order): Promise<void> {
    const found = await session(whom);
    const body: OrderRequest = { ...what, source: found.source, session: found.session, by: "script" };
    await request("/api/order", body);
  }

  return {
    sessions,
    session,
    async wait(whom, options = {}) {
      const found = await session(whom);
      return waitForState(found, { ...options, env, except: answered.get(keyOf(found)) });
    },
    async last(whom) {
      const { source, session: id } = await session(whom);
      const query = new URLSearchParams({ source, session: id });
      return ((await request(`/api/last?${query.toString()}`)) as LastAnswer).reply ?? undefined;
    },
    async answer(whom, answer) {
      const found = await session(whom);
      const body: AnswerRequest = { ...answer, source: found.source, session: found.session, by: "script" };
      await request("/api/answer", body);
      answered.set(keyOf(found), answer.wait);
    },
    say: (whom, text) => order(whom, { do: "prompt", text }),
    abort: (whom) => order(whom, { do: "abort" }),
    follow: ({ signal } = {}) => events({ env, signal }),
  };
}

async function* events({
  env,
  signal,
}: {
  env: Env;
  signal: AbortSignal | undefined;
}): AsyncGenerator<MothEvent, void, undefined> {
  const isWanted = (): boolean => !signal?.aborted;
  let at: Position | undefined;
  while (isWanted()) {
    // oxlint-disable-next-line no-await-in-loop -- each look goes on where the last one ended
    const heard = at ? await askLog(at, POLL_SECONDS, { env, signal }) : await askRoster({ env, signal });
    if (heard) {
      at = { epoch: heard.epoch, since: heard.next };
      if ("events" in heard) yield* heard.events;
    } else {
      // oxlint-disable-next-line no-await-in-loop -- moth may be about to start again
      await pause(RETRY_MS, signal, { keepsAlive: true });
    }
  }
}

/** Nobody answered: none is there, or it serves as many as it can. */
function unheard(env: Env): MothError {
  const address = mothAddress(env);
  if (address && readToken(env) && runsHere(address, env)) return new MothError("BUSY", BUSY_WORDS);
  return new MothError("NOT_RUNNING", "moth is not running, or its token is not here. Start it with: moth up -d");
}

function keyOf({ source, session }: { source: string; session: string }): string {
  return `${source}\n${session}`;
}
