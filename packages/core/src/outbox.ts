import { type ReportOptions, REPORT_TIMEOUT_MS, sendState, sendTurn } from "./report.ts";
import type { StateReport, TurnReport } from "./protocol.ts";

/**
 * The way out for an adapter that lives in its harness's process: reports leave at once, in the order they were given, and nobody waits
 * for them until the harness shuts down.
 */
export interface Outbox {
  /** Sends a turn report. Returns at once; never throws. */
  turn(report: TurnReport): void;
  /** Sends a state report. Returns at once; never throws. */
  state(report: StateReport): void;
  /** Resolves when all that was given is on its way, or after `timeoutMs` (1 s unless said). For the harness's awaited shutdown. */
  flush(timeoutMs?: number): Promise<void>;
}

/** Makes an outbox. Each report gets a `seq`, so that two that overtake each other on the way are still put in order by the server. */
export function createOutbox(options: ReportOptions = {}): Outbox {
  const pending = new Set<Promise<unknown>>();
  const track = (sent: Promise<unknown>): void => {
    pending.add(sent);
    void sent.finally(() => pending.delete(sent));
  };
  return {
    turn: (report) => track(sendTurn({ seq: nextSeq(), ...report }, options)),
    state: (report) => track(sendState({ seq: nextSeq(), ...report }, options)),
    flush: async (timeoutMs = REPORT_TIMEOUT_MS) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
      await Promise.race([Promise.all(pending), late]);
      clearTimeout(timer);
    },
  };
}

// One count for the process, however many outboxes: a harness may make its adapter anew for each session, and one session's end and the
// next one's beginning have an order too.
let last = 0;
function nextSeq(): number {
  last = Math.max(Date.now(), last + 1);
  return last;
}
