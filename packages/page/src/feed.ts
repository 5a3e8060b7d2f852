/** The page's line to moth: the roster by asking, events by a stream that comes back by itself. */
import type { ErrorAnswer, MothEvent, Session, SessionsAnswer } from "@moth-companion/core/protocol";
import { type Message, readStream } from "./event-stream.ts";
import { pageHeaders } from "./page-key.ts";

/** `locked`: moth is there, and does not know this browser. `asleep`: nothing answers. */
export type Link = "connecting" | "live" | "asleep" | "locked";

export interface Listener {
  link(link: Link): void;
  /** The log began anew. */
  cleared(): void;
  /** A batch, in order. */
  events(events: readonly MothEvent[]): void;
  sessions(sessions: readonly Session[], isAway: boolean): void;
}

/** Events are handed on this often at most, however fast they come. */
const BATCH_MS = 100;
/** What was said before the page came is handed on as one, unless it takes longer to come than this. */
const HISTORY_MS = 1000;
/** The roster is asked for this often at most. */
const ROSTER_MS = 500;
/** And this often when nothing is heard: a session stops being active by the clock, and another display may have looked at it. */
const ROSTER_IDLE_MS = 10_000;
const RETRY_MS = 300;
const MAX_RETRY_MS = 4000;

/** Starts, and never stops: it lives as long as the page. @returns what asks for the roster now */
export function follow(listener: Listener): () => void {
  let epoch: string | undefined;
  let since = 0;
  let failures = 0;
  let batch: MothEvent[] = [];
  let batchTimer: number | undefined;
  let rosterTimer: number | undefined;
  let rosterAt = 0;
  let isLive = false;
  let stream = new AbortController();
  /** Which log the roster told of, and where that log ended then. Events before it are history: the roster knows of them. */
  let known = { epoch: "", next: 0 };

  function flush(): void {
    clearTimeout(batchTimer);
    batchTimer = undefined;
    const events = batch;
    batch = [];
    if (events.length > 0) listener.events(events);
  }

  /** @returns whether moth answered with a roster */
  async function askRoster(): Promise<boolean> {
    rosterAt = performance.now();
    try {
      const answer = await fetch("/api/sessions", { headers: pageHeaders() });
      if (answer.status === 401) {
        // What it is handed still, it may not show, and it must hear of it when it may again.
        stream.abort();
        listener.link("locked");
        return false;
      }
      if (!answer.ok) throw new Error(`moth answered ${answer.status}`);
      const { epoch: its, next, sessions, away = false } = (await answer.json()) as SessionsAnswer;
      known = { epoch: its, next };
      listener.sessions(sessions, away);
      return true;
    } catch {
      if (!isLive) listener.link("asleep");
      return false;
    }
  }

  function rosterSoon(delay: number): void {
    if (rosterTimer !== undefined) return;
    rosterTimer = window.setTimeout(() => {
      rosterTimer = undefined;
      if (isLive) void askRoster();
    }, delay);
  }

  function retry(): void {
    const delay = Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** failures++);
    setTimeout(() => void connect(), delay);
  }

  async function connect(): Promise<void> {
    if (!(await askRoster())) return retry();
    const query = new URLSearchParams({ since: String(since), ...(epoch === undefined ? {} : { epoch }) });
    const own = (stream = new AbortController());
    try {
      await readStream(`/api/events?${query.toString()}`, {
        headers: pageHeaders(),
        signal: own.signal,
        onOpen() {
          isLive = true;
          failures = 0;
          listener.link("live");
        },
        onMessage: hear,
      });
    } catch {
      // Whether moth sleeps or knows this browser no more, the next question tells.
    }
    own.abort();
    isLive = false;
    retry();
  }

  function hear({ event: name, data }: Message): void {
    if (name === "epoch") {
      flush();
      ({ epoch } = JSON.parse(data) as { epoch: string });
      since = 0;
      listener.cleared();
      if (epoch !== known.epoch) rosterSoon(0);
      return;
    }
    const event = JSON.parse(data) as MothEvent;
    since = event.id + 1;
    batch.push(event);
    const isHistory = epoch === known.epoch && since <= known.next;
    if (isHistory && since === known.next) return flush();
    batchTimer ??= window.setTimeout(flush, isHistory ? HISTORY_MS : BATCH_MS);
    if (!isHistory) rosterSoon(Math.max(BATCH_MS, ROSTER_MS - (performance.now() - rosterAt)));
  }

  setInterval(() => rosterSoon(0), ROSTER_IDLE_MS);
  void connect();
  return () => rosterSoon(0);
}

/** @throws Error with words for the person */
export async function send(
  path: "/api/answer" | "/api/chat" | "/api/order" | "/api/reset" | "/api/seen",
  body: object,
): Promise<void> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...pageHeaders() },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Error("moth is asleep and did not hear you.");
  }
  if (answer.status === 413)
    throw new Error("That is more than the 64 KB that moth carries at once. Put it into a file, and name the file.");
  if (answer.ok) return;
  const refusal = (await answer.json().catch(() => undefined)) as Partial<ErrorAnswer> | undefined;
  // Why an agent does not get something is told in moth's words; the rest is between the page and moth.
  throw new Error(
    (["/api/answer", "/api/order"].includes(path) && refusal?.error?.message) || `moth did not take it (${answer.status}).`,
  );
}
