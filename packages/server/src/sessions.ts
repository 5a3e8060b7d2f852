import type { NewEvent, Session, State, StateReport, TurnReport, Wait } from "@moth-companion/core/protocol";
import type { WatchedSession } from "@moth-companion/harnesses";
import { entryOf, type KeptSession, keptOf } from "./kept-session.ts";
import { distinctLabels } from "./labels.ts";
import { die, type Entry, face, hearOrigin, hearState, hearTurn, newEntry, ripen, withoutAsked } from "./session.ts";

/** How long a session counts as active after it was last heard. */
export const ACTIVE_MS: number = 30 * 60 * 1000;
const MAX_SESSIONS = 1000;

export type StateChange = Extract<NewEvent, { kind: "state" }>;

/** What a turn report came to. */
interface HeardTurn {
  changes: StateChange[];
  /** Milliseconds the turn took. */
  took: number | undefined;
}

/** The roster. Owns no timer and no clock; `now` is milliseconds since 1970. Ids, labels and texts come in clean. */
export interface Sessions {
  turn(report: TurnReport, now: number): HeardTurn;
  state(report: StateReport, now: number): StateChange[];
  /** Shows the waits that have lasted long enough. To be called at `settleAt`. */
  settle(now: number): StateChange[];
  readonly settleAt: number | undefined;
  /** Marks the sessions whose process has ended. */
  reap(isAlive: (pid: number) => boolean, now: number): StateChange[];
  list(now: number): Session[];
  /** The label of a session, made unlike every other active one's. */
  label(source: string, session: string, now: number): string;
  /** The waits of a session that are open, those not shown yet included; undefined: there is no such session. */
  waits(source: string, session: string): readonly Wait[] | undefined;
  /** Whether a wait of that session has been heard to end. */
  hasEnded(source: string, session: string, wait: string): boolean;
  /** Calls `fn` whenever the waits of a session have become more or fewer, shown or not. Returns the function that ends it. */
  onWaits: (fn: () => void) => () => void;
  /** What a session does just now, its waits that are not shown yet included; undefined: there is no such session. */
  stateOf(source: string, session: string): State | undefined;
  /** What a watch may know of the sessions of its harness. */
  watched(source: string): WatchedSession[];
  /** Forgets what is asked in the waits that are open. */
  hideAsked(now: number): StateChange[];
  /** What a later moth may take back: the sessions that are not gone, those heard last first. */
  kept(now: number): KeptSession[];
  /** Takes sessions back, which is no news. @param shift milliseconds by which the clock was set forward meanwhile */
  restore(kept: readonly KeptSession[], now: number, shift: number): void;
  clear(): void;
}

/** Sessions with one label, and their distinct names while those hold. */
interface Group {
  members: Set<Entry>;
  names: Map<Entry, string> | undefined;
  /** When the next member stops being active, at the earliest. */
  until: number;
}

export function createSessions(max: number = MAX_SESSIONS): Sessions {
  const entries = new Map<string, Entry>();
  const groups = new Map<string, Group>();
  const unripe = new Set<Entry>();
  const listeners = new Set<() => void>();
  let settleAt: number | undefined;

  function hear(report: TurnReport | StateReport, now: number, take: (entry: Entry) => void): StateChange[] {
    const key = keyOf(report.source, report.session ?? "");
    const known = entries.get(key);
    const entry = known ?? newEntry(report.source, report.session ?? "", now);
    if (!known) {
      entries.set(key, entry);
      join(entry);
      if (entries.size > max) evict(entry);
    }
    return track(entry, known === undefined, now, () => {
      const { label } = entry;
      if (!isActive(entry, now)) groups.get(label)!.names = undefined;
      hearOrigin(entry, report, now);
      if (entry.label !== label) {
        leave(entry, label);
        join(entry);
      }
      take(entry);
    });
  }

  /** Runs a change and tells what of it shows. */
  function track(entry: Entry, isNew: boolean, now: number, change: () => void): StateChange[] {
    const before = face(entry);
    const { length } = entry.waits;
    change();
    if (entry.waits.length !== length) tell();
    const due = ripen(entry, now);
    if (due === undefined) unripe.delete(entry);
    else {
      unripe.add(entry);
      settleAt = Math.min(settleAt ?? due, due);
    }
    const after = face(entry);
    if ((before.state === "gone") !== (after.state === "gone")) groups.get(entry.label)!.names = undefined;
    const isSame = before.state === after.state && isSameWait(before.wait, after.wait);
    if (!isSame) entry.since = after.state === "waiting" ? entry.waits.find((open) => open.shown)!.opened : now;
    // A session whose end is the first thing heard of it is no news.
    if (isNew ? after.state === "gone" : isSame && before.outcome === after.outcome) return [];
    return [{ kind: "state", source: entry.source, session: entry.session, label: labelOf(entry, now), ...after }];
  }

  function tell(): void {
    for (const listener of listeners) listener();
  }

  function join(entry: Entry): void {
    const group = groups.get(entry.label) ?? { members: new Set(), names: undefined, until: 0 };
    group.members.add(entry);
    group.names = undefined;
    groups.set(entry.label, group);
  }

  function leave(entry: Entry, label: string): void {
    const group = groups.get(label);
    group?.members.delete(entry);
    if (group?.members.size === 0) groups.delete(label);
    else if (group) group.names = undefined;
  }

  function labelOf(entry: Entry, now: number): string {
    const group = groups.get(entry.label);
    if (!group || group.members.size < 2 || !isActive(entry, now)) return entry.label;
    if (!group.names || now >= group.until) {
      const active = [...group.members].filter((member) => isActive(member, now));
      const names = distinctLabels(entry.label, active, (name) => groups.has(name));
      group.names = new Map(active.map((member, at) => [member, names[at] ?? member.label]));
      group.until = Math.min(...active.map((member) => member.heard)) + ACTIVE_MS;
    }
    return group.names.get(entry) ?? entry.label;
  }

  /** Makes room: the session longest gone, else the one longest silent. */
  function evict(newcomer: Entry): void {
    let worst: Entry | undefined;
    for (const entry of entries.values()) {
      if (entry !== newcomer && (!worst || isLessNeeded(entry, worst))) worst = entry;
    }
    if (!worst) return;
    entries.delete(keyOf(worst.source, worst.session));
    unripe.delete(worst);
    leave(worst, worst.label);
    if (worst.waits.length > 0) tell();
  }

  function row(entry: Entry, now: number): Session {
    const { source, session, since, heard, pid, pane, cwd } = entry;
    const base = { source, session, label: labelOf(entry, now), since, heard, active: isActive(entry, now) };
    const optional = {
      ...(pid !== undefined && { pid }),
      ...(pane !== undefined && { pane }),
      ...(cwd !== undefined && { cwd }),
    };
    return { ...base, ...optional, ...face(entry) } as Session;
  }

  return {
    turn(report, now) {
      let took: number | undefined;
      const changes = hear(report, now, (entry) => {
        took = hearTurn(entry, report, now);
      });
      return { changes, took };
    },
    state: (report, now) => hear(report, now, (entry) => hearState(entry, report, now)),
    settle(now) {
      settleAt = undefined;
      return [...unripe].flatMap((entry) => track(entry, false, now, () => undefined));
    },
    get settleAt() {
      return settleAt;
    },
    reap(isAlive, now) {
      const known = new Map<number, boolean>();
      return [...entries.values()].flatMap((entry) => {
        if (entry.pid === undefined || entry.base === "gone") return [];
        const alive = known.get(entry.pid) ?? isAlive(entry.pid);
        known.set(entry.pid, alive);
        return alive ? [] : track(entry, false, now, () => die(entry));
      });
    },
    list: (now) => [...entries.values()].map((entry) => row(entry, now)),
    label(source, session, now) {
      const entry = entries.get(keyOf(source, session));
      return entry ? labelOf(entry, now) : session.slice(0, 8) || source;
    },
    waits: (source, session) => entries.get(keyOf(source, session))?.waits.map((open) => open.wait),
    hasEnded: (source, session, wait) => entries.get(keyOf(source, session))?.ended.has(wait) ?? false,
    onWaits(fn) {
      listeners.add(fn);
      return () => listeners.delete(fn);
    },
    stateOf(source, session) {
      const entry = entries.get(keyOf(source, session));
      return entry && (entry.waits.length > 0 ? "waiting" : entry.base);
    },
    watched: (source) => [...entries.values()].filter((entry) => entry.source === source && entry.base !== "gone").map(toWatched),
    hideAsked: (now) =>
      [...entries.values()].flatMap((entry) =>
        track(entry, false, now, () => {
          for (const open of entry.waits) open.wait = withoutAsked(open.wait);
        }),
      ),
    kept: (now) =>
      [...entries.values()]
        .filter((entry) => isKept(entry, now))
        .toSorted((a, b) => b.heard - a.heard)
        .map(keptOf),
    restore(kept, now, shift) {
      for (const one of kept.slice(0, max)) {
        const entry = entryOf(one, now, shift);
        const key = keyOf(entry.source, entry.session);
        if (entries.has(key)) continue;
        entries.set(key, entry);
        join(entry);
      }
    },
    clear() {
      entries.clear();
      groups.clear();
      unripe.clear();
      settleAt = undefined;
      tell();
    },
  };
}

function isActive(entry: Entry, now: number): boolean {
  return entry.base !== "gone" && now - entry.heard < ACTIVE_MS;
}

/** Whether one without a process is there can be told by its reports alone: after long silence nobody knows. */
function isKept(entry: Entry, now: number): entry is Entry & { base: "working" | "idle" } {
  return entry.base !== "gone" && (entry.pid !== undefined || isActive(entry, now));
}

function isLessNeeded(a: Entry, b: Entry): boolean {
  if ((a.base === "gone") !== (b.base === "gone")) return a.base === "gone";
  return a.base === "gone" ? a.since < b.since : a.heard < b.heard;
}

/** A watch sees a wait at once: it must not take the hidden 300 ms for an answer. */
function toWatched(entry: Entry): WatchedSession {
  const { session, base, since, seq = 0, background, pid, waits, restored } = entry;
  const open = waits[0];
  const shown = open ? { state: "waiting" as const, since: open.opened, wait: open.wait } : { state: base, since };
  const newest = waits.reduce((top, open) => Math.max(top, open.seq ?? 0), seq);
  const more = { ...(pid !== undefined && { pid }), ...(restored !== undefined && { restored }) };
  return { session, seq: newest, background, ...shown, ...more };
}

/** A wait whose text or answers become known later is news. */
function isSameWait(one: Wait | undefined, other: Wait | undefined): boolean {
  return one?.id === other?.id && one?.answerable === other?.answerable && one?.text === other?.text && one?.why === other?.why;
}

/** Clean ids hold no line break. */
function keyOf(source: string, session: string): string {
  return `${source}\n${session}`;
}
