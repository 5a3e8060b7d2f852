/** Reports and what a display would see of them, in few words. */
import type { Session, StateReport, TurnReport, Wait } from "@moth-companion/core/protocol";
import { createSessions, type Sessions, type StateChange } from "../src/sessions.ts";

export const wait = (id: string): Wait => ({ id, kind: "permission", answerable: false });
export const turn = (more: Partial<TurnReport> = {}): TurnReport => ({
  source: "pi",
  session: "s1",
  label: "moth",
  text: "Done.",
  ...more,
});
export const state = (state: StateReport["state"], more: Partial<StateReport> = {}): StateReport => ({
  source: "pi",
  session: "s1",
  label: "moth",
  state,
  ...more,
});
export const waiting = (id: string, more: Partial<StateReport> = {}): StateReport =>
  state("waiting", { wait: wait(id), ...more });

/** Each change in a few words. */
export const words = (changes: StateChange[]): string[] =>
  changes.map((change) =>
    [change.label, change.state, change.wait?.id, change.outcome].filter((word) => word !== undefined).join(" "),
  );

/** Plays reports 1 s apart, settling in between, and tells all that showed. */
export function play(reports: (TurnReport | StateReport)[], sessions: Sessions = createSessions()): string[] {
  return reports.flatMap((report, i) => {
    const now = i * 1000;
    const changes = "text" in report ? sessions.turn(report, now).changes : sessions.state(report, now);
    return words([...changes, ...sessions.settle(now + 500)]);
  });
}

/** The one session there is. */
export function only(sessions: Sessions, now: number): Session {
  const [first, ...others] = sessions.list(now);
  if (!first || others.length > 0) throw new Error("There is not exactly one session");
  return first;
}
