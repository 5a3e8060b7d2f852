import type { Outcome, StateReport } from "@moth-companion/core/protocol";
import type { Heard } from "./event.ts";
import type { Session } from "./session.ts";

/** A session and its subagents, as the person sees them: one session that works as long as any of them does. */
export interface Tree {
  hear(heard: Heard, session: Session): void;
  isIdle(): boolean;
  /** It is gone, or its harness is. */
  end(): void;
}

type Report = Pick<StateReport, "state" | "wait" | "ended" | "outcome">;

/** @param outcome how the turn of the session at the root stands */
export function createTree(outcome: () => Outcome | undefined, report: (report: Report) => void): Tree {
  const working = new Set<string>();
  /** Open waits and whose they are. */
  const waits = new Map<string, string>();
  /** What was said last, so that nothing is said twice: a stopped turn is called idle twice. */
  let said = "";

  const say = (what: Report): void => {
    said = `${what.state} ${what.outcome ?? ""}`;
    report(what);
  };
  const answered = (id: string): void => {
    if (waits.delete(id)) say({ state: "working", ended: id });
  };
  const settle = (): void => {
    if (working.size > 0) {
      // A wait is said by itself, and to say that it works would end it.
      if (waits.size === 0 && said !== "working ") say({ state: "working" });
      return;
    }
    waits.clear();
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
          if (working.size > 0) for (const [id, owner] of waits) if (owner === session.id) answered(id);
          break;
        case "asked":
          waits.set(heard.id, session.id);
          say({
            state: "waiting",
            wait: { id: heard.id, kind: heard.kind, ...(heard.tool && { tool: heard.tool }), answerable: false },
          });
          return;
        case "answered":
          answered(heard.id);
          return;
      }
      settle();
    },
    isIdle: () => working.size === 0 && waits.size === 0,
    end() {
      if (said !== "") report({ state: "gone" });
    },
  };
}
