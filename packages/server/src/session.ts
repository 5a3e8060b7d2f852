/**
 * One session's state, from reports that may come late, twice or not at all.
 *
 * Every fact (the base state, each open wait) remembers the `seq` of the report that made it, and a report changes only facts that
 * are not newer than itself. A report without `seq` is taken as the newest.
 */
import type { Outcome, State, StateReport, TurnReport, Wait } from "@moth-companion/core/protocol";

/** How long a wait must last before anyone sees it: a request that the harness approves by itself never shows. */
const WAIT_VISIBLE_MS = 300;

/** Waits, and ended waits remembered, of one session at most. */
const MAX_WAITS = 32;

interface OpenWait {
  wait: Wait;
  seq: number | undefined;
  opened: number;
  shown: boolean;
}

/** A session as the server keeps it. Times are milliseconds since 1970. */
export interface Entry {
  readonly source: string;
  readonly session: string;
  /** As reported; not yet made unlike others. */
  label: string;
  /** What it does apart from its waits. */
  base: "working" | "idle" | "gone";
  outcome: Outcome | undefined;
  /** `seq` of the newest report that told the base state. */
  seq: number | undefined;
  /** `seq` of the newest report that ended every wait: a wait that opened earlier is over, even when it is heard later. */
  cleared: number | undefined;
  waits: OpenWait[];
  /** Waits that are over, with the `seq` of their end. */
  ended: Map<string, number>;
  /** It works on after a reply was shown. */
  background: boolean;
  /** When it began to work on the turn. */
  started: number | undefined;
  /** When it entered the state that shows. */
  since: number;
  heard: number;
  pid: number | undefined;
  pane: string | undefined;
  /** The folder its process was begun in, as far as was heard: an agent may go to others. */
  cwd: string | undefined;
  /** The last turn that had a name, and the characters of its reply. */
  turn: string | undefined;
  chars: number;
  /** When a moth that was started anew took it back; undefined once it was heard since. */
  restored: number | undefined;
}

/** The state that shows. */
export interface Face {
  state: State;
  wait?: Wait;
  outcome?: Outcome;
}

export function newEntry(source: string, session: string, now: number): Entry {
  return {
    source,
    session,
    label: session.slice(0, 8) || source,
    base: "idle",
    outcome: undefined,
    seq: undefined,
    cleared: undefined,
    waits: [],
    ended: new Map(),
    background: false,
    started: undefined,
    since: now,
    heard: now,
    pid: undefined,
    pane: undefined,
    cwd: undefined,
    turn: undefined,
    chars: 0,
    restored: undefined,
  };
}

export function face(entry: Entry): Face {
  const open = entry.waits.find((open) => open.shown);
  if (open) return { state: "waiting", wait: open.wait };
  if (entry.base === "working" || entry.outcome === undefined) return { state: entry.base };
  return { state: entry.base, outcome: entry.outcome };
}

/** Takes in what every report carries. */
export function hearOrigin(
  entry: Entry,
  report: { label?: string; seq?: number; pid?: number; pane?: string; cwd?: string },
  now: number,
): void {
  entry.heard = now;
  entry.restored = undefined;
  if (isOlder(report.seq, entry.seq)) return;
  entry.label = report.label || entry.label;
  // One that comes back lives in another process and place, and whoever tells of it may not know in which.
  entry.pid = report.pid ?? (entry.base === "gone" ? undefined : entry.pid);
  entry.pane = report.pane ?? (entry.base === "gone" ? undefined : entry.pane);
  entry.cwd = entry.base === "gone" ? (report.cwd ?? entry.cwd) : (entry.cwd ?? report.cwd);
}

/** Takes in a final reply. Returns the milliseconds since the turn began, when that was heard. */
export function hearTurn(entry: Entry, report: TurnReport, now: number): number | undefined {
  const began = entry.base === "working" && !isOlder(report.seq, entry.seq) ? entry.started : undefined;
  const state = report.state ?? "idle";
  if (report.turn !== undefined) {
    entry.turn = report.turn;
    entry.chars = report.chars ?? report.text.length;
  }
  // What goes on after the reply may be the very thing that waits.
  if (state === "idle") endWaits(entry, report.seq);
  if (setBase(entry, state, report.seq)) {
    entry.outcome = report.outcome ?? "done";
    entry.background = state === "working";
    entry.started = undefined;
    entry.since = now;
  }
  return began === undefined ? undefined : Math.max(0, now - began);
}

/** Takes in a state report. */
export function hearState(entry: Entry, report: StateReport, now: number): void {
  switch (report.state) {
    case "waiting":
      if (report.wait) openWait(entry, report.wait, report.seq, now);
      return;
    case "working":
      if (report.ended === undefined) endWaits(entry, report.seq);
      else endWait(entry, report.ended, report.seq);
      if (!setBase(entry, "working", report.seq)) return;
      entry.started ??= now;
      // A tool that goes on says nothing of the tasks in the background; a new prompt does.
      if (report.ended === undefined) entry.background = false;
      return;
    case "idle":
    case "gone": {
      const again = entry.base === report.state;
      endWaits(entry, report.seq);
      if (!setBase(entry, report.state, report.seq)) return;
      entry.outcome = report.outcome ?? (again ? entry.outcome : undefined);
      entry.background = false;
      entry.started = undefined;
    }
  }
}

/** Whether a wait holds what is asked. */
export function tellsAsked({ text, options, answerable, why }: Wait): boolean {
  return text !== undefined || options !== undefined || answerable || why !== undefined;
}

/** A wait without what is asked, which cannot be answered then. */
export function withoutAsked({ id, kind, tool }: Wait): Wait {
  return { id, kind, ...(tool !== undefined && { tool }), answerable: false };
}

/** Its process has ended. */
export function die(entry: Entry): void {
  entry.base = "gone";
  entry.waits = [];
  entry.outcome = undefined;
  entry.background = false;
  entry.started = undefined;
}

/** Shows the waits whose time has come. Returns when the next one is due. */
export function ripen(entry: Entry, now: number): number | undefined {
  let next: number | undefined;
  for (const open of entry.waits) {
    if (open.shown) continue;
    // A clock that jumped back must not hide it for long.
    open.opened = Math.min(open.opened, now);
    const due = open.opened + WAIT_VISIBLE_MS;
    if (due <= now) open.shown = true;
    else next = Math.min(next ?? due, due);
  }
  return next;
}

function openWait(entry: Entry, wait: Wait, seq: number | undefined, now: number): void {
  if (isOlder(seq, entry.cleared) || isOlder(seq, entry.ended.get(wait.id))) return;
  // Whoever asks is at work, even when no prompt was heard.
  if (entry.base !== "working" && !setBase(entry, "working", seq)) return;
  const known = entry.waits.find((open) => open.wait.id === wait.id);
  if (known) {
    // Who knows only that it waits does not take away what another has told of it.
    if (wait.text !== undefined || known.wait.text === undefined) known.wait = wait;
    return;
  }
  // Oldest first, also when the older one is heard later.
  const at = entry.waits.findIndex((open) => isOlder(seq, open.seq));
  entry.waits.splice(at === -1 ? entry.waits.length : at, 0, { wait, seq, opened: now, shown: false });
  if (entry.waits.length > MAX_WAITS) entry.waits.shift();
}

function endWait(entry: Entry, id: string, seq: number | undefined): void {
  entry.waits = entry.waits.filter((open) => open.wait.id !== id || isOlder(seq, open.seq));
  if (seq === undefined) return;
  entry.ended.set(id, seq);
  const oldest = entry.ended.keys().next().value;
  if (entry.ended.size > MAX_WAITS && oldest !== undefined) entry.ended.delete(oldest);
}

function endWaits(entry: Entry, seq: number | undefined): void {
  for (const { wait } of entry.waits) endWait(entry, wait.id, seq);
  if (seq !== undefined && !isOlder(seq, entry.cleared)) entry.cleared = seq;
}

function setBase(entry: Entry, base: Entry["base"], seq: number | undefined): boolean {
  if (isOlder(seq, entry.seq)) return false;
  entry.base = base;
  entry.seq = seq ?? entry.seq;
  return true;
}

function isOlder(seq: number | undefined, than: number | undefined): boolean {
  return seq !== undefined && than !== undefined && seq < than;
}
