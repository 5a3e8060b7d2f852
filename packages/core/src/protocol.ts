/**
 * The words moth's parts use to talk: what an adapter reports, what the server logs, what a display reads.
 * Everything here is data; nothing here does anything.
 */

/** Raised when a change would make an older adapter or display misread a newer server. */
export const PROTOCOL = 1;

export const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_PORT = 4747;

/** The header that carries the token. It never stands in a URL. */
export const TOKEN_HEADER = "X-Moth-Token";

/** Bytes of a request body, at most. */
export const MAX_BODY_BYTES: number = 64 * 1024;

/** Characters (UTF-16 units) of an id (`source`, `session`, `turn`, a wait's `id`), at most. */
export const MAX_ID_LENGTH = 128;

/** Characters of a session's label, at most. */
export const MAX_LABEL_LENGTH = 40;

export const STATES = ["working", "waiting", "idle", "gone"] as const;
/** What a session is doing: `waiting` needs the person, `gone` has ended. */
export type State = (typeof STATES)[number];

export const WAIT_KINDS = ["permission", "question", "plan"] as const;
/** What a waiting session needs from the person. */
export type WaitKind = (typeof WAIT_KINDS)[number];

export const OUTCOMES = ["done", "failed", "interrupted", "limit"] as const;
/** How a turn ended. `limit`: the harness ran into a usage or length limit. */
export type Outcome = (typeof OUTCOMES)[number];

/** What a waiting session needs. `text` and `options` stay empty unless the person turned answers on. */
export interface Wait {
  /** Names this wait within its session, so that a late answer or a late end never hits another one. */
  id: string;
  kind: WaitKind;
  /** The harness's own name of the tool it asks for. */
  tool?: string;
  text?: string;
  options?: string[];
  /** Whether moth can hand the person's answer to the harness. */
  answerable: boolean;
  /** Why it cannot, a sentence for the person. */
  why?: string;
  /** Milliseconds since 1970 at which the harness goes on without an answer. */
  expires?: number;
}

/** What can be chosen where a wait names no options of its own. A question has none: there the person's words are the answer. */
export const CHOICES: Readonly<Record<WaitKind, readonly string[]>> = {
  permission: ["allow", "deny"],
  plan: ["approve", "reject"],
  question: [],
};

/** The person's answer to a wait: a choice, or words, or both: a denial with its reason. */
export interface Answer {
  choice?: string;
  text?: string;
}

/**
 * Answer of `GET /api/answers`: the person's answer, named by `id` so that what became of it can be told; or that the wait is over; or
 * neither, within the time.
 */
export interface FetchedAnswer extends Answer {
  id?: string;
  over?: true;
}

/** Body of `POST /api/taken`: what became of an answer that was fetched. */
export interface TakenReport {
  id: string;
  taken: boolean;
  /** Why it was not taken, a sentence for the person. */
  problem?: string;
}

/** Body of `POST /api/answer`. */
export interface AnswerRequest extends Answer {
  source: string;
  session?: string;
  /** The wait's id: an answer to one that is over must not hit the next. */
  wait: string;
  /** The display that asks: `page`, `tail`, `cli`. */
  by?: string;
}

/** Whose report it is, and where it stands in that session's order. */
export interface ReportOrigin {
  /** The harness's id. */
  source: string;
  /** The harness's own id of the conversation. Without one, the harness counts as one session. */
  session?: string;
  /** What the person calls it: the name of the folder it works in. */
  label?: string;
  /**
   * Order of this report among its session's reports; larger is newer. Command hooks use the milliseconds since 1970 at which
   * their process began. A report older than the newest state never overwrites that state.
   */
  seq?: number;
  /** The harness's process, on this machine. When it ends, the session is gone. */
  pid?: number;
}

/** `POST /api/agent`: the final reply of a turn. */
export interface TurnReport extends ReportOrigin {
  /** The reply as the agent wrote it, Markdown and all. Never empty. */
  text: string;
  outcome?: Outcome;
  /** The harness's own id of the turn. The same text for the same turn, reported twice, is heard once. */
  turn?: string;
  /** What the session does after this turn: `idle` unless something of it still runs. */
  state?: "idle" | "working";
}

/** `POST /api/state`: what a session does now. */
export interface StateReport extends ReportOrigin {
  state: State;
  /** With `waiting`: what for. */
  wait?: Wait;
  /** With `working`: the id of the wait that is over. Without it, every wait of the session is over. */
  ended?: string;
  /** With `idle` or `gone`: how the turn ended, when no turn report tells. */
  outcome?: Outcome;
  /** The terminal pane the session runs in, as its multiplexer names it. */
  pane?: string;
}

/** What the server makes of a turn's text, the most interesting first; `failure` and `apology` rank alike. */
export const TURN_CLASSES = ["failure", "apology", "question", "long", "done"] as const;
export type TurnClass = (typeof TURN_CLASSES)[number];

interface EventBase {
  /** Position in the log, from 0 up; `since` in a poll is the first one wanted. */
  id: number;
  /** Milliseconds since 1970. */
  time: number;
}

/** A turn that was heard. */
export interface CardEvent extends EventBase {
  kind: "card";
  source: string;
  session: string;
  label: string;
  text: string;
  outcome: Outcome;
  class: TurnClass;
  /** Milliseconds from the person's prompt to the reply, when moth heard both. */
  took?: number;
}

/** A line of moth's own. */
export interface SayEvent extends EventBase {
  kind: "say";
  /** moth's remark. Repeats nothing an agent wrote, but for `names`. */
  text: string;
  /** The one sentence of the agent it reacts to. */
  quote?: string;
  /** Names in `text` that are the agent's words, such as a failing test's. */
  names?: string[];
  /** The card it reacts to; without it, moth answers the person. */
  card?: number;
  /** The chat event it answers. */
  chat?: number;
  source?: string;
  session?: string;
  label?: string;
}

/** A turn moth let pass without a remark. */
export interface SkipEvent extends EventBase {
  kind: "skip";
  card: number;
  /** `batch`: another turn was more interesting. `rate`: moth had just spoken. `voice`: it had nothing to say in time. */
  reason: "batch" | "rate" | "voice";
}

/** What the person said to moth. */
export interface ChatEvent extends EventBase {
  kind: "chat";
  text: string;
}

/** What moth did in its home on the way to a line. */
export interface ToolEvent extends EventBase {
  kind: "tool";
  /** As one would type it: `cat likes.md`. */
  text: string;
  /** Why it was not done. */
  error?: string;
  /** The card it was about to react to; without it, moth was asked by the person. */
  card?: number;
  source?: string;
  session?: string;
  label?: string;
}

/** A session's state changed. */
export interface StateEvent extends EventBase {
  kind: "state";
  source: string;
  session: string;
  label: string;
  state: State;
  wait?: Wait;
  outcome?: Outcome;
}

export const WANTS = ["waits", "failed", "limit", "finished"] as const;
/** Why a session wants to be looked at: it waits, or its turn ended and nobody has looked since. */
export type Want = (typeof WANTS)[number];

/** The person is told something; each display and back-end that can tell them does. */
export interface NoticeEvent extends EventBase {
  kind: "notice";
  /** Names the notice, so that it can be withdrawn. */
  notice: string;
  /** `several`: what came at once, in one. `digest`: what came while moth was to be silent. `test`: the person asked for one. */
  about: Want | "several" | "digest" | "test";
  title: string;
  /** One line; may be empty. */
  body: string;
  /** The back-ends that show it. `terminal` is for displays in a terminal. */
  by: string[];
  source?: string;
  session?: string;
  label?: string;
}

/** A notice is over: its session was answered, looked at, or works again. */
export interface WithdrawnEvent extends EventBase {
  kind: "withdrawn";
  notice: string;
}

/** The person has looked: at one session, or, without `source`, at all of them. */
export interface SeenEvent extends EventBase {
  kind: "seen";
  source?: string;
  session?: string;
}

/** A wait was answered through moth. */
export interface AnswerEvent extends EventBase, Answer {
  kind: "answer";
  source: string;
  session: string;
  label: string;
  wait: string;
  about: WaitKind;
  /** The display it came from. */
  by: string;
}

export type MothEvent =
  | CardEvent
  | SayEvent
  | SkipEvent
  | ChatEvent
  | ToolEvent
  | StateEvent
  | NoticeEvent
  | WithdrawnEvent
  | SeenEvent
  | AnswerEvent;
/** An event before the log gave it its place. */
export type NewEvent = MothEvent extends infer E ? (E extends MothEvent ? Omit<E, "id" | "time"> : never) : never;

/** One row of the roster. A union by state: a wait stands only where there is one. */
export type Session = SessionBase &
  ({ state: "waiting"; wait: Wait } | { state: "working" } | { state: "idle" | "gone"; outcome?: Outcome });

interface SessionBase {
  source: string;
  session: string;
  /** Made unlike every other active session's: `name`, or `name (3f2a)` with the end of the session id. */
  label: string;
  /** Milliseconds since 1970 at which it entered its state. */
  since: number;
  /** Milliseconds since 1970 at which it was last heard. */
  heard: number;
  /** Heard in the last 30 minutes and not gone. */
  active: boolean;
  pid?: number;
  pane?: string;
  /** What the person has not looked at yet. */
  unread?: Want;
}

/** Answer of `GET /api/log`. */
export interface LogAnswer {
  /** Changes when the server restarts or forgets; then the log starts anew. */
  epoch: string;
  /** The `since` of the next poll. */
  next: number;
  events: MothEvent[];
}

/** Answer of `GET /api/says`: moth's lines alone, no ids and no labels. `quote` only for a caller with the token. */
export interface SaysAnswer {
  epoch: string;
  next: number;
  says: { text: string; quote?: string }[];
}

/** Answer of `POST /api/chat`: where in the log it stands. The reply is the `say` event with this `chat`. */
export interface ChatAnswer {
  ok: true;
  chat: number;
  epoch: string;
}

/** Answer of `GET /api/sessions`. */
export interface SessionsAnswer {
  epoch: string;
  /** Where the log stands: asked from there on, it tells all that comes after this roster. */
  next: number;
  sessions: Session[];
}

/** The final reply of a session's newest turn. */
export interface Reply {
  /** As the agent wrote it, without control characters. */
  text: string;
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
  protocol: number;
  pid: number;
}

/** Answer of `GET /api/notify`, and of what changes it. */
export interface NotifyAnswer {
  on: boolean;
  /** The back-ends in use. */
  by: string[];
  /** Why a back-end that was asked for is not in use, or the newest failure of one; each a sentence. */
  problems: string[];
  /** moth is silent now, because of the quiet hours or because all is muted. */
  silent: boolean;
  /** Milliseconds since 1970 at which a mute ends; null: when it is taken away. Without `source`: everything. */
  muted: { source?: string; session?: string; until: number | null }[];
}

/** Body of every refusal. */
export interface ErrorAnswer {
  error: { code: string; message: string };
}
