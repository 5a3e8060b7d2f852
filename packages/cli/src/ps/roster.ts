/** The roster as people read it. */
import type { Session, State, Wait } from "@moth-companion/core/protocol";
import { shortDuration } from "../duration.ts";
import { idLength } from "../id-length.ts";
import type { Style } from "../style.ts";
import { type Cell, type Column, renderTable } from "../table.ts";
import { wrap } from "../width.ts";

/** A session that is gone stays in sight this long, while it is one of the newest so many: a script may leave hundreds. */
const GONE_SHOWN_MS = 30 * 60_000;
const GONE_SHOWN = 5;

const ORDER: readonly State[] = ["waiting", "working", "idle", "gone"];

const COLUMNS: readonly Column[] = [
  { title: "SESSION", shrinkTo: 16 },
  { title: "HARNESS", dispensable: 1 },
  { title: "STATE", shrinkTo: 24 },
  { title: "AGE", right: true },
  { title: "ID", dispensable: 2 },
];

/** What a wait is for, after "waits for". */
export function waitWords(wait: Wait): string {
  if (wait.kind === "question") return "an answer";
  if (wait.kind === "plan") return "a yes to its plan";
  return `a permission${wait.tool ? ` (${wait.tool})` : ""}`;
}

/** Those that need the person first, the one that waits longest on top; among the others the latest on top. */
export function sortSessions(sessions: readonly Session[]): Session[] {
  return [...sessions].sort((a, b) => {
    if (a.state !== b.state) return ORDER.indexOf(a.state) - ORDER.indexOf(b.state);
    return a.state === "waiting" ? a.since - b.since : b.since - a.since;
  });
}

export interface RosterView {
  now: number;
  columns: number | undefined;
  style: Style;
  /** A harness's short name by its id. */
  short: (source: string) => string;
  /** How moth is called here. */
  self: string;
  /** Those that are gone too, however many and however long. */
  all?: boolean;
}

/** The table of `moth ps`, and what it leaves out; or a sentence when there is nothing to show. */
export function renderRoster(sessions: readonly Session[], view: RosterView): string[] {
  if (sessions.length === 0) return ["No session yet. A session shows when an agent that moth is hooked into does something."];
  const present = sessions.filter(({ state }) => state !== "gone");
  const gone = sortSessions(sessions.filter(({ state }) => state === "gone"));
  const inSight = view.all ? gone : gone.filter(({ heard }) => view.now - heard < GONE_SHOWN_MS).slice(0, GONE_SHOWN);
  const shown = [...sortSessions(present), ...inSight];
  const length = idLength(shown.map(({ session }) => session));
  const rows = shown.map((session) => row(session, length, view));
  const table = rows.length > 0 ? renderTable(COLUMNS, rows, view.columns, view.style) : [];
  const left = gone.length - inSight.length;
  if (left === 0) return table;
  const more = `${left}${rows.length > 0 ? " more" : ""} ${left === 1 ? "is" : "are"} gone: ${view.self} ps --all`;
  return [...table, ...(view.columns === undefined ? [more] : wrap(more, view.columns)).map(view.style.dim)];
}

/** "3 sessions: 1 waits for you, 2 work". */
export function countStates(sessions: readonly Session[]): string {
  const present = sessions.filter((session) => session.state !== "gone");
  const count = (state: State): number => present.filter((session) => session.state === state).length;
  const waiting = count("waiting");
  const parts = [
    ...(waiting > 0 ? [`${waiting} ${waiting === 1 ? "waits" : "wait"} for you`] : []),
    ...(count("working") > 0 ? [`${count("working")} working`] : []),
    ...(count("idle") > 0 ? [`${count("idle")} idle`] : []),
  ];
  if (present.length === 0) return "No session runs right now.";
  return `${present.length} ${present.length === 1 ? "session" : "sessions"}: ${parts.join(", ")}.`;
}

function row(session: Session, length: number, view: RosterView): Cell[] {
  const { style } = view;
  const tail = session.session.slice(0, length);
  const cells = [
    session.label || tail || session.source,
    view.short(session.source),
    stateWords(session),
    shortDuration(view.now - session.since),
    tail,
  ];
  return cells.map((text, index) => {
    if (session.state === "gone") return { text, paint: style.dim };
    if (index === 2)
      return { text, paint: session.state === "waiting" ? style.lamp : session.state === "idle" ? style.dim : plain };
    return { text, paint: index === 0 ? plain : style.dim };
  });
}

function stateWords(session: Session): string {
  if (session.state === "waiting") return `waits: ${session.wait.kind}${session.wait.tool ? ` (${session.wait.tool})` : ""}`;
  if (session.state === "working" || !session.outcome || session.outcome === "done") return session.state;
  return `${session.state} (${session.outcome === "limit" ? "hit its limit" : session.outcome})`;
}

function plain(text: string): string {
  return text;
}
