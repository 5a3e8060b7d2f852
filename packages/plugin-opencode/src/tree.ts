import type { Outcome, StateReport, Wait } from "@moth-companion/core/protocol";
import type { Heard } from "./event.ts";
import type { Session } from "./session.ts";

/** A session and its subagents, as the person sees them: one session that works as long as any of them does. */
export interface Tree {
  hear(heard: Heard, session: Session): void;
  isIdle(): boolean;
  /** It is gone, or its harness is. */
  end(): void;
  /** It is heard no longer. */
  leave(): void;
}

type Report = Pick<StateReport, "state" | "wait" | "ended" | "outcome">;

export interface TreeOptions {
  /** How the turn of the session at the root stands. */
  outcome: () => Outcome | undefined;
  report: (report: Report) => void;
  /** A dialog is open, until it is over. @param tell tells more of it */
  asked?: ((heard: Heard & { what: "asked" }, over: AbortSignal, tell: (more: Partial<Wait>) => void) => void) | undefined;
}

export function createTree({ outcome, report, asked }: TreeOptions): Tree {
  const working = new Set<string>();
  /** Open waits, whose they are, and what ends with them. */
  const waits = new Map<string, { owner: string; over: AbortController }>();
  /** What was said last, so that nothing is said twice: a stopped turn is called idle twice. */
  let said = "";

  const say = (what: Report): void => {
    said = `${what.state} ${what.outcome ?? ""}`;
    report(what);
  };
  const close = (id: string): boolean => {
    waits.get(id)?.over.abort();
    return waits.delete(id);
  };
  const leave = (): void => {
    for (const id of waits.keys()) close(id);
  };
  const answered = (id: string): void => {
    if (close(id)) say({ state: "working", ended: id });
  };
  const ask = (heard: Heard & { what: "asked" }, owner: string): void => {
    const { id, kind, tool } = heard;
    close(id);
    const over = new AbortController();
    waits.set(id, { owner, over });
    const tell = (more: Partial<Wait> = {}): void => {
      if (!over.signal.aborted) say({ state: "waiting", wait: { id, kind, ...(tool && { tool }), answerable: false, ...more } });
    };
    tell();
    asked?.(heard, over.signal, tell);
  };
  const settle = (): void => {
    if (working.size > 0) {
      // A wait is said by itself, and to say that it works would end it.
      if (waits.size === 0 && said !== "working ") say({ state: "working" });
      return;
    }
    leave();
    // A session that did nothing yet is no news.
    const ended = outcome();
    if (said === "" || said === `idle ${ended ?? ""}`) return;
    say({ state: "idle", ...(ended && { outcome: ended }) });
  };

  return {
    hear(heard, session) {
      switch (heard.what) {
        case "busy":
          working.add(session.id);
          break;
        case "idle":
          session.rest();
          working.delete(session.id);
          // Its dialogs went with it; when none works any more, being idle says so.
          if (working.size > 0) for (const [id, { owner }] of waits) if (owner === session.id) answered(id);
          break;
        case "asked":
          ask(heard, session.id);
          return;
        case "answered":
          answered(heard.id);
          return;
      }
      settle();
    },
    isIdle: () => working.size === 0 && waits.size === 0,
    end() {
      leave();
      if (said !== "") report({ state: "gone" });
    },
    leave,
  };
}
