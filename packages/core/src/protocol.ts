/**
 * The words moth's parts use to talk: what an adapter reports, what the server logs, what a display reads.
 * Everything here is data; nothing here does anything.
 */
export * from "./protocol-answers.ts";
export * from "./protocol-events.ts";

/** Raised when a change would make an older adapter or display misread a newer server. */
export const PROTOCOL = 1;

export const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_PORT = 4747;

/** The header that carries the token. It never stands in a URL. */
export const TOKEN_HEADER = "X-Moth-Token";

/** The header that carries the page's key, beside the page's cookie. */
export const PAGE_HEADER = "X-Moth-Page";

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
  /** What is asked: the command, the question, the plan. */
  text?: string;
  /** What can be chosen, as it is sent back in `choice`; without it what `kind` names. */
  options?: string[];
  /** Whether moth can hand the person's answer to the harness. */
  answerable: boolean;
  /** Why it cannot, a sentence for the person. */
  why?: string;
  /** Milliseconds since 1970 at which the harness goes on without an answer. */
  expires?: number;
}

/** Reasons why a wait is answered in its own window, for `why`. */
export const WHY_NOT = {
  several: "It asks several questions at once.",
  multiple: "It takes several options at once.",
  options: "Its options cannot be shown whole, or be told apart.",
  unknown: "moth does not see all that it asks for.",
  unseen: "moth cannot show it whole.",
} as const;

/** What can be chosen where a wait names no options of its own. A question has none: there the person's words are the answer. */
export const CHOICES: Readonly<Record<WaitKind, readonly string[]>> = {
  permission: ["allow", "deny"],
  plan: ["approve", "reject"],
  question: [],
};

/** The person's answer to a wait: a choice, or words, or both: a denial with its reason. */
export interface Answer {
  /** One of the wait's `options`, or what stands for its kind. */
  choice?: string;
  /** The person's own words. */
  text?: string;
}

/**
 * Answer of `GET /api/answers`: the person's answer, named by `id` so that what became of it can be told; or that the wait is over; or
 * neither, within the time.
 */
export interface FetchedAnswer extends Answer {
  /** There is an answer, and this is its name for `POST /api/taken`. */
  id?: string;
  /** The wait is over: nobody will answer it. */
  over?: true;
}

/** Body of `POST /api/taken`: what became of an answer or an order that was fetched. */
export interface TakenReport {
  /** As it was fetched. */
  id: string;
  /** Whether the harness has it. */
  taken: boolean;
  /** Why it was not taken, a sentence for the person. */
  problem?: string;
}

/** Body of `POST /api/answer`. */
export interface AnswerRequest extends Answer {
  /** The harness's id, as the roster has it. */
  source: string;
  /** As the roster has it; left out when it is empty there. */
  session?: string;
  /** The wait's id: an answer to one that is over must not hit the next. */
  wait: string;
  /** The display that asks: `page`, `tail`, `cli`. */
  by?: string;
}

export const ORDER_KINDS = ["prompt", "abort"] as const;
/** What the person may have a session do that does not wait: take a message as its next prompt, or end the turn that runs. */
export type OrderKind = (typeof ORDER_KINDS)[number];

/** What the person has a session do. */
export interface Order {
  do: OrderKind;
  /** The message, with `prompt`. */
  text?: string;
}

/** Answer of `GET /api/orders`: an order, named by `id` so that what became of it can be told; or nothing, within the time. */
export interface FetchedOrder extends Partial<Order> {
  /** There is an order, and this is its name for `POST /api/taken`. */
  id?: string;
}

/** Body of `POST /api/order`. */
export interface OrderRequest extends Order {
  /** The harness's id, as the roster has it. */
  source: string;
  /** As the roster has it; left out when it is empty there. */
  session?: string;
  /** The display that asks: `page`, `tail`, `cli`. */
  by?: string;
}

/** Body of `POST /api/chat`: what the person says to moth. */
export interface ChatRequest {
  /** Not empty. */
  text: string;
}

/** Body of `POST /api/enter`: what let this page of moth's be opened. */
export interface EnterRequest {
  /** The key of a link of `moth open`. */
  key: string;
}

/** Body of `POST /api/seen`: the person has looked, at one session or, without `source`, at all of them. */
export interface SeenRequest {
  /** The harness's id, as the roster has it. */
  source?: string;
  /** As the roster has it; left out when it is empty there. */
  session?: string;
}

/** Body of `POST /api/mute`: no notices of one session or, without `source`, none at all. */
export interface MuteRequest {
  /** The harness's id, as the roster has it. */
  source?: string;
  /** As the roster has it; left out when it is empty there. */
  session?: string;
  /** For so many seconds; without it until it is taken away. */
  seconds?: number;
  /** Takes it away. */
  off?: boolean;
}

/** Body of `POST /api/reset`. */
export interface ResetRequest {
  /** Forgets the sessions, the turns heard and moth's last lines too, and not the log and the talk alone. */
  everything?: boolean;
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
  /** The folder it works in, an absolute path of at most 1,024 characters: where `moth resume` takes it up again. */
  cwd?: string;
}

/** `POST /api/agent`: the final reply of a turn. */
export interface TurnReport extends ReportOrigin {
  /** The reply as the agent wrote it, Markdown and all. Never empty, unless `chars` stands for it. */
  text: string;
  /** Characters of the whole reply, where `text` has its beginning alone: it is too long for one report; or nothing: content is off. */
  chars?: number;
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
