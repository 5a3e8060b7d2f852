/** What the log holds and displays read. */
import type { Answer, Order, Outcome, State, Wait, WaitKind } from "./protocol.ts";

/** What the server makes of a turn's text, the most interesting first; `failure` and `apology` rank alike. */
export const TURN_CLASSES = ["failure", "apology", "question", "long", "done"] as const;
export type TurnClass = (typeof TURN_CLASSES)[number];

interface EventBase {
  /** Position in the log, from 0 up; `since` in a poll is the first one wanted. */
  id: number;
  /** Milliseconds since 1970. */
  time: number;
}

/** The session an event is about. */
interface AboutSession {
  /** The harness's id. */
  source: string;
  /** The harness's own id of the conversation; empty where it tells of one alone. */
  session: string;
  /** As the roster called it then. */
  label: string;
}

/** A turn that was heard. */
export interface CardEvent extends EventBase, AboutSession {
  kind: "card";
  /** The reply as the agent wrote it, without control characters. */
  text: string;
  /** Characters of the whole reply, where moth was told its beginning alone, or, with an empty `text`, nothing of it. */
  chars?: number;
  outcome: Outcome;
  class: TurnClass;
  /** Milliseconds from the person's prompt to the reply, when moth heard both. */
  took?: number;
}

/** A line of moth's own. */
export interface SayEvent extends EventBase, Partial<AboutSession> {
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
}

/** A turn moth let pass without a remark. */
export interface SkipEvent extends EventBase {
  kind: "skip";
  /** The card's id. */
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
export interface ToolEvent extends EventBase, Partial<AboutSession> {
  kind: "tool";
  /** As one would type it: `cat likes.md`. */
  text: string;
  /** Why it was not done. */
  error?: string;
  /** The card it was about to react to; without it, moth was asked by the person. */
  card?: number;
}

/** A session's state changed. */
export interface StateEvent extends EventBase, AboutSession {
  kind: "state";
  state: State;
  wait?: Wait;
  outcome?: Outcome;
}

export const WANTS = ["waits", "failed", "limit", "finished"] as const;
/** Why a session wants to be looked at: it waits, or its turn ended and nobody has looked since. */
export type Want = (typeof WANTS)[number];

/** The person is told something; each display and back-end that can tell them does. */
export interface NoticeEvent extends EventBase, Partial<AboutSession> {
  kind: "notice";
  /** Names the notice, so that it can be withdrawn. */
  notice: string;
  /** `several`: what came at once, in one. `digest`: what came while moth was to be silent. `test`: the person asked for one. */
  about: Want | "several" | "digest" | "test";
  /** One line. */
  title: string;
  /** One line; may be empty. */
  body: string;
  /** The back-ends that show it. `terminal` is for displays in a terminal. */
  by: string[];
}

/** A notice is over: its session was answered, looked at, or works again. */
export interface WithdrawnEvent extends EventBase {
  kind: "withdrawn";
  /** The one that is over. */
  notice: string;
}

/** The person has looked: at one session, or, without `source`, at all of them. */
export interface SeenEvent extends EventBase, Partial<Pick<AboutSession, "source" | "session">> {
  kind: "seen";
}

/** A wait was answered through moth. */
export interface AnswerEvent extends EventBase, AboutSession, Answer {
  kind: "answer";
  /** The wait's id. */
  wait: string;
  about: WaitKind;
  /** The display it came from. */
  by: string;
}

/** The person had a session do something through moth. */
export interface OrderEvent extends EventBase, AboutSession, Order {
  kind: "order";
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
  | AnswerEvent
  | OrderEvent;
/** An event before the log gave it its place. */
export type NewEvent = MothEvent extends infer E ? (E extends MothEvent ? Omit<E, "id" | "time"> : never) : never;
