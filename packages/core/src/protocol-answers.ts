/** What the server answers. */
import type { MothEvent, Want } from "./protocol-events.ts";
import type { OrderKind, Outcome, Wait } from "./protocol.ts";

/** One row of the roster. A union by state: a wait stands only where there is one. */
export type Session = SessionBase &
  ({ state: "waiting"; wait: Wait } | { state: "working" } | { state: "idle" | "gone"; outcome?: Outcome });

interface SessionBase {
  /** The harness's id. */
  source: string;
  /** The harness's own id of the conversation; empty where it tells of one alone. */
  session: string;
  /** Made unlike every other active session's: `name`, or `name (3f2a)` with the end of the session id. */
  label: string;
  /** Milliseconds since 1970 at which it entered its state. */
  since: number;
  /** Milliseconds since 1970 at which it was last heard. */
  heard: number;
  /** Heard in the last 30 minutes and not gone. */
  active: boolean;
  /** The harness's process. */
  pid?: number;
  /** The terminal pane it runs in, as it was reported. */
  pane?: string;
  /** The folder it was begun in. Not told to the page. */
  cwd?: string;
  /** What it can be made to do from here just now. */
  takes?: OrderKind[];
  /** What the person has not looked at yet. */
  unread?: Want;
}

/** Answer of a post that was taken and has nothing to tell. */
export interface OkAnswer {
  ok: true;
}

/** Answer of `POST /api/agent`. */
export interface TurnAnswer extends OkAnswer {
  /** This turn was heard before. */
  duplicate?: true;
}

/** Answer of `POST /api/taken`. */
export interface TakenAnswer {
  /** Whether anybody still waited to hear it. */
  ok: boolean;
}

/** Answer of `POST /api/open`. */
export interface OpenAnswer {
  /** Lets one browser in, once, within a minute. */
  url: string;
}

/** Answer of `POST /api/enter`. */
export interface EnterAnswer {
  /** What a page of moth's asks with, beside its cookie. Stays within moth's own address and port. */
  pageKey: string;
}

/** Where the log stands. */
interface LogPlace {
  /** Changes when the server restarts or forgets; then the log starts anew. */
  epoch: string;
  /** The `since` of the next poll. */
  next: number;
}

/** Answer of `GET /api/log`. */
export interface LogAnswer extends LogPlace {
  /** In their order. Ids may be missing: the log keeps the newest. */
  events: MothEvent[];
}

/** What comes first on a stream of `GET /api/events`, and again after a reset. */
export type StreamEpoch = LogPlace;

/** Answer of `GET /api/says`: moth's lines alone, no ids and no labels. `quote` only for a caller with the token. */
export interface SaysAnswer extends LogPlace {
  says: { text: string; quote?: string }[];
}

/** Answer of `POST /api/chat`: where in the log it stands. The reply is the `say` event with this `chat`. */
export interface ChatAnswer extends OkAnswer {
  /** The id of the `chat` event. */
  chat: number;
  /** The log it counts in. */
  epoch: string;
}

/** Answer of `GET /api/sessions`. */
export interface SessionsAnswer extends LogPlace {
  /** Where the log stands: asked from there on, it tells all that comes after this roster. */
  next: number;
  sessions: Session[];
  /** The person has said that they are away: some harnesses ask through moth alone. */
  away?: true;
}

/** The final reply of a session's newest turn. */
export interface Reply {
  /** As the agent wrote it, without control characters. */
  text: string;
  /** Characters of the whole reply, where moth was told its beginning alone. */
  chars?: number;
  outcome: Outcome;
  /** Milliseconds since 1970 at which it was heard. */
  time: number;
}

/** Answer of `GET /api/last`. `null`: none was heard, or it was forgotten since. */
export interface LastAnswer {
  reply: Reply | null;
}

/** Answer of `GET /api/health`. */
export interface HealthAnswer {
  name: "moth";
  version: string;
  /** Raised when a change would make an older adapter or display misread a newer server. */
  protocol: number;
  /** The server's process. */
  pid: number;
}

/** Answer of `GET /api/notify`, and of what changes it. */
export interface NotifyAnswer {
  /** The person wants notifications. */
  on: boolean;
  /** The back-ends in use. */
  by: string[];
  /** Why a back-end that was asked for is not in use, or the newest failure of one; each a sentence. */
  problems: string[];
  /** moth is silent now, because of the quiet hours or because all is muted. */
  silent: boolean;
  /** One session each, or, without `source`, everything. `until`: milliseconds since 1970 at which it ends; null: when it is taken away. */
  muted: { source?: string; session?: string; until: number | null }[];
}

/** Body of every refusal. */
export interface ErrorAnswer {
  error: { code: string; message: string };
}
