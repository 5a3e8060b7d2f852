/** One session as the person sees it: its own turns, and the subagents that work for it. */
import { sessionLabel } from "@moth-companion/core/label";
import type { Outbox } from "@moth-companion/core/outbox";
import type { Outcome, ReportOrigin, StateReport, Wait } from "@moth-companion/core/protocol";
import type { Answering } from "./answering.ts";
import type { Happening, Place } from "./door.ts";

export interface Session {
  /** Something happened in the session itself. */
  hear(happening: Happening): void;
  /** Something happened in a subagent of its own. */
  hearHelper(helper: string, happening: Happening): void;
  isIdle(): boolean;
  /** It ends here. */
  end(): void;
}

export interface SessionOptions {
  reports: Pick<Outbox, "turn" | "state">;
  /** Does something a little later, unless the process ends before. */
  later: (act: () => void) => void;
  answering: Pick<Answering, "asked">;
}

/** @param origin whose reports they are */
export function createSession(origin: Omit<ReportOrigin, "seq">, { reports, later, answering }: SessionOptions): Session {
  /** Its turn runs. */
  let running = false;
  let said: (Happening & { what: "said" }) | undefined;
  let outcome: Outcome | undefined;
  /** Subagents whose turn runs, or has ended so short ago that its news may still come. */
  const helpers = new Map<string, "works" | "ended">();
  const waits = new Map<string, AbortController>();
  let shown: StateReport["state"] | undefined;

  function show(report: Pick<StateReport, "state" | "wait" | "ended" | "outcome">): void {
    shown = report.state;
    reports.state({ ...origin, ...report });
  }

  function asked({ id, kind, tool, read }: Happening & { what: "asked" }): void {
    const over = new AbortController();
    over.signal.addEventListener("abort", () => waits.delete(id), { once: true });
    waits.set(id, over);
    const wait = { id, kind, ...(tool !== undefined && { tool }), answerable: false };
    show({ state: "waiting", wait });
    const tell = (asks: Pick<Wait, "text" | "options" | "answerable" | "why">): void => {
      if (waits.get(id) === over) show({ state: "waiting", wait: { ...wait, ...asks } });
    };
    answering.asked({ session: origin.session ?? "", wait: id, read, over: over.signal, tell });
  }

  function answered(id: string): void {
    const wait = waits.get(id);
    if (!wait) return;
    wait.abort();
    show({ state: "working", ended: id });
  }

  function noWaits(): void {
    for (const wait of waits.values()) wait.abort();
  }

  function ended(how: Happening & { what: "ended" }): void {
    running = false;
    outcome = how.outcome;
    const reply = how.whole ? said : undefined;
    said = undefined;
    // After a reply it works on for as long as its subagents do. A turn that broke off has given the person the word.
    const state = how.whole && helpers.size > 0 ? "working" : "idle";
    if (state === "idle") noWaits();
    if (!reply?.text.trim()) {
      // To say that it works would end what a subagent waits for.
      if (state === "idle" || waits.size === 0) show({ state, ...(state === "idle" && { outcome }) });
      return;
    }
    shown = state;
    const { text, id } = reply;
    reports.turn({ ...origin, text, outcome, state, ...(id !== undefined && { turn: id }) });
  }

  function settle(helper: string): void {
    if (helpers.get(helper) === "ended") helpers.delete(helper);
    if (helpers.size > 0 || running || shown === "idle") return;
    noWaits();
    show({ state: "idle", ...(outcome && { outcome }) });
  }

  return {
    hear(happening) {
      switch (happening.what) {
        case "began":
          running = true;
          for (const [helper, how] of helpers) if (how === "ended") helpers.delete(helper);
          said = undefined;
          outcome = undefined;
          // What a subagent asks stays open.
          if (waits.size === 0) show({ state: "working" });
          return;
        case "said":
          said = happening;
          return;
        case "asked":
          return asked(happening);
        case "answered":
          return answered(happening.id);
        case "ended":
          return ended(happening);
      }
    },
    hearHelper(helper, happening) {
      switch (happening.what) {
        case "began":
          helpers.set(helper, "works");
          if (shown !== "working" && waits.size === 0) show({ state: "working" });
          return;
        case "asked":
          return asked(happening);
        case "answered":
          return answered(happening.id);
        case "ended":
          // Either the session waits for it, or its news begin the session's next turn within the same moment.
          if (running) return void helpers.delete(helper);
          helpers.set(helper, "ended");
          return later(() => settle(helper));
      }
    },
    isIdle: () => !running && helpers.size === 0,
    end() {
      noWaits();
      if (shown !== undefined) show({ state: "gone", ...(running && { outcome: "interrupted" }) });
    },
  };
}

export function originOf({ session, folder }: Place, source: string, pid: number): Omit<ReportOrigin, "seq"> {
  return { source, session, label: sessionLabel(folder, session), pid };
}
