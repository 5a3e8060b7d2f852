import type { Outcome } from "@moth-companion/core/protocol";
import type { Info, Message } from "./event.ts";
import { createReplies, type Replies } from "./replies.ts";

/** One session of the harness, a subagent's among them. */
export interface Session {
  readonly id: string;
  readonly parent: string | undefined;
  folder: string | undefined;
  /** How its turn stands; undefined: nothing has ended yet, or what ended was no turn. */
  outcome: Outcome | undefined;
  readonly replies: Replies;
  /** It works. */
  begin(): void;
  /** It is idle. */
  rest(): void;
  /** The harness itself goes on, in the person's name, by this message. */
  goOn(message: string): void;
  /** A message changed. Returns the reply when it is the last of its turn and has words. */
  finish(message: Message): { text: string; outcome: Outcome } | undefined;
}

export function createSession(info: Info): Session {
  let working = false;
  /** The turn's reply is out. */
  let replied = false;
  /** What answers this message is no reply of the turn. */
  let afterthought: string | undefined;
  const session: Session = {
    id: info.session,
    parent: info.parent,
    folder: info.folder,
    outcome: undefined,
    replies: createReplies(),
    begin() {
      // Said anew at each step of a turn.
      if (working) return;
      working = true;
      session.outcome = undefined;
      replied = false;
    },
    rest() {
      working = false;
    },
    goOn(message) {
      // Room may be made behind a reply or in the middle of a turn, whose reply is then yet to come.
      afterthought = replied ? message : undefined;
    },
    finish(message) {
      const text = session.replies.message(message);
      if (text === undefined || message.summary || message.failed || message.finish === undefined) return undefined;
      if (message.answers !== undefined && message.answers === afterthought) return undefined;
      replied = message.finish !== "tool-calls";
      // Where a turn stops behind a tool, the person has refused the tool or the question.
      session.outcome = replied ? outcomeOf(message.finish) : "interrupted";
      return replied && text.trim() !== "" ? { text, outcome: session.outcome } : undefined;
    },
  };
  return session;
}

function outcomeOf(finish: string): Outcome {
  if (finish === "length") return "limit";
  return finish === "error" || finish === "content-filter" ? "failed" : "done";
}

/** The session the person sees: the one that a session works for in the end. */
export function rootOf(session: Session, sessions: ReadonlyMap<string, Session>): string {
  let root = session;
  // Bounded, in case they name each other.
  for (let depth = 0; depth < 16 && root.parent !== undefined; depth++) {
    const parent = sessions.get(root.parent);
    if (!parent) return root.parent;
    root = parent;
  }
  return root.id;
}
