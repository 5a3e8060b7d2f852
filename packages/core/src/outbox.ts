import { pause } from "./pause.ts";
import { type ReportOptions, REPORT_TIMEOUT_MS, sendState, sendTurn } from "./report.ts";
import type { StateReport, TurnReport } from "./protocol.ts";

/** A moth that is away, as one that is started anew, is told so many milliseconds later each in which state a session is. */
const AGAIN_MS: readonly number[] = [1000, 3000, 10_000, 15_000];

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
  /** Whether moth was there of late: it may be about to come back. */
  let wasThere = false;
  /** The `seq` of each session's last report: an older state is not told again. */
  const newest = new Map<string | undefined, number | undefined>();
  const track = (sent: Promise<boolean>, state: StateReport): void => {
    pending.add(sent);
    newest.set(state.session, state.seq);
    void tellAgain(sent, state);
  };
  const tellAgain = async (sent: Promise<boolean>, state: StateReport): Promise<void> => {
    let isHeard = await sent;
    pending.delete(sent);
    for (const ms of AGAIN_MS) {
      wasThere ||= isHeard;
      if (isHeard || !wasThere) return;
      // oxlint-disable-next-line no-await-in-loop -- one try after the other
      await pause(ms, undefined, { keepsAlive: false });
      if (newest.get(state.session) !== state.seq) return;
      // oxlint-disable-next-line no-await-in-loop -- as above
      isHeard = await sendState(state, options);
    }
    wasThere = isHeard;
  };
  return {
    turn: (report) => {
      const told = { seq: nextSeq(), ...report };
      track(sendTurn(told, options), stateOf(told));
    },
    state: (report) => {
      const told = { seq: nextSeq(), ...report };
      track(sendState(told, options), told);
    },
    flush: async (timeoutMs = REPORT_TIMEOUT_MS) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
      await Promise.race([Promise.all(pending), late]);
      clearTimeout(timer);
    },
  };
}

/** What a turn's end says of the session, without a word of the reply: that is not told later. */
function stateOf({ text: _text, chars: _chars, turn: _turn, ...rest }: TurnReport): StateReport {
  return { state: "idle", outcome: "done", ...rest };
}

// One count for the process, however many outboxes: a harness may make its adapter anew for each session, and one session's end and the
// next one's beginning have an order too.
let last = 0;
function nextSeq(): number {
  last = Math.max(Date.now(), last + 1);
  return last;
}
