/**
 * From what happens in one agent to reports. Both harnesses call the extension once for each agent they make, and an agent is in one
 * session at a time: what is kept here is that session's, and goes with it.
 */
import { placeOf } from "@moth-companion/core/label";
import type { Outbox } from "@moth-companion/core/outbox";
import type { Outcome, ReportOrigin, Wait } from "@moth-companion/core/protocol";
import type { Display } from "./display.ts";
import type { Place, Said } from "./door.ts";

export interface ListenerOptions {
  source: string;
  pid: number;
  reports: Pick<Outbox, "turn" | "state">;
  display: Pick<Display, "turned" | "clear" | "left">;
}

/** Facts about the agent, told in the order in which they happen. */
export interface Listener {
  /** The agent introduces itself. Of one that never does, a helper, nothing is heard. */
  met(place: Place): void;
  /** The agent may have gone on to another session. */
  moved(place: Place): void;
  /** The agent begins to work, or goes on. */
  began(place: Place): void;
  /** The model has answered; more may follow. */
  said(place: Place, said: Said): void;
  /** Another prompt of the person's, who did not wait for the end: what was said before is a reply. */
  prompted(place: Place): void;
  /** The turn is over. `outcome` where the harness tells it beside the model's answer. */
  settled(place: Place, outcome?: Outcome): void;
  /** The agent rests until work in the background brings it back: what it said is a reply. */
  rests(place: Place, state: "idle" | "working"): void;
  /** Returns whether that is a wait: somebody can be asked, and the agent is at work. */
  asked(place: Place, wait: Asked): boolean;
  answered(place: Place, id: string): void;
  /** The session ends here. */
  left(): void;
}

/** A wait as it is told; unless it says so, it is answered in its window alone. */
type Asked = Omit<Wait, "answerable"> & Partial<Pick<Wait, "answerable">>;

interface Session {
  place: Place;
  running: boolean;
  said: Said | undefined;
  /** The plan it waits for, which outlives the turn that made it. */
  plan: string | undefined;
}

export function createListener({ source, pid, reports, display }: ListenerOptions): Listener {
  let here: Session | undefined;

  const origin = ({ session, folder }: Place): ReportOrigin => ({ source, session, ...placeOf(folder, session), pid });

  function enter(place: Place): Session {
    return (here = { place, running: false, said: undefined, plan: undefined });
  }

  /** The session an event belongs to. The agent may have moved to another one without a word. */
  function at(place: Place): Session | undefined {
    if (!here) return undefined;
    if (here.place.session !== place.session) {
      left();
      return enter(place);
    }
    here.place = place;
    return here;
  }

  function left(): void {
    if (!here) return;
    reports.state({ ...origin(here.place), state: "gone" });
    display.left();
    here = undefined;
  }

  /** Reports the last answer as a reply, if it is one. */
  function reply(session: Session, state: "idle" | "working"): boolean {
    const said = session.said;
    session.said = undefined;
    if (said?.text === undefined) return false;
    const { text, outcome, turn } = said;
    const now = Date.now();
    reports.turn({ ...origin(session.place), text, outcome, state, ...(turn !== undefined && { turn }) });
    display.turned(session.place, now);
    return true;
  }

  function met(place: Place): void {
    const known = here?.place.session === place.session;
    if (!at(place)) enter(place);
    if (!known) reports.state({ ...origin(place), state: "idle" });
  }

  return {
    met,
    moved(place) {
      if (here) met(place);
    },
    began(place) {
      const session = at(place);
      if (!session) return;
      // A turn may begin several times: the harness tries again.
      if (!session.running) display.clear();
      session.running = true;
      session.plan = undefined;
      reports.state({ ...origin(place), state: "working" });
    },
    said(place, said) {
      const session = at(place);
      if (session) session.said = said;
    },
    prompted(place) {
      const session = at(place);
      if (session?.running) reply(session, "working");
    },
    settled(place, told) {
      const session = at(place);
      if (!session?.running) return;
      session.running = false;
      const outcome = told ?? session.said?.outcome;
      if (outcome === "interrupted") session.said = undefined;
      // The harness stops the turn itself to show a plan: it goes on waiting.
      if (outcome === "interrupted" && session.plan !== undefined) return;
      if (!reply(session, "idle")) reports.state({ ...origin(place), state: "idle", ...(outcome && { outcome }) });
    },
    rests(place, state) {
      const session = at(place);
      if (session?.running) reply(session, state);
    },
    asked(place, asked) {
      const session = at(place);
      // A dialog outside a turn was opened by the person's own command.
      if (!session?.running || !place.attended) return false;
      if (asked.kind === "plan") session.plan = asked.id;
      reports.state({ ...origin(place), state: "waiting", wait: { answerable: false, ...asked } });
      return true;
    },
    answered(place, id) {
      const session = at(place);
      if (session?.running && place.attended) reports.state({ ...origin(place), state: "working", ended: id });
    },
    left,
  };
}
