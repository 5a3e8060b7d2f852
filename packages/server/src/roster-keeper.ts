/** Keeps the roster for a moth that is started anew, and takes it back: only as long as it is as good as true. */
import type { Clock } from "./clock.ts";
import { removeDrafts, removeIfPossible } from "./files.ts";
import type { KeptSession } from "./kept-session.ts";
import type { Legacy } from "./legacy.ts";
import { type Machine, type Moment, passed } from "./machine.ts";
import { readRoster, rosterText, writeRoster } from "./roster-file.ts";

/** What is heard is written within so many milliseconds: all that a moth that is killed loses. */
const WRITE_MS = 1000;
/** Writing takes at most so much of the time, on a slow disk too. */
const WRITE_SHARE = 0.01;
/** How often the file is told that moth still runs, while there are sessions. */
export const BEAT_MS = 20_000;
/** Reports that come while moth is away are lost. After so many milliseconds without it nobody knows what a session does. */
export const AWAY_MS = 60_000;
/** Of one that worked, earlier: its turn may have ended, which nobody tells again. Whatever else is not true any more ends with a turn. */
export const WORKING_AWAY_MS = 30_000;

export interface RosterKeeper {
  /** Something has changed. */
  changed(when: "soon" | "at once"): void;
  /** Takes back what an earlier moth has left, once, before anything is heard. */
  restore(): void;
  /** Writes it for the last time. */
  close(): void;
}

export interface RosterKeeperParts {
  file: string;
  clock: Clock;
  machine: Machine;
  isAlive: (pid: number) => boolean;
  legacy: () => Legacy;
  /** Looks which sessions wait by the notes of their hooks. */
  notedWaits: () => (session: KeptSession) => boolean;
}

export function createRosterKeeper({ file, clock, machine, isAlive, legacy, notedWaits }: RosterKeeperParts): RosterKeeper {
  /** When each process began, asked once: later it may be another one. */
  let starts = new Map<number, string | undefined>();
  let isClosed = false;
  let written: string | undefined;
  let pace = WRITE_MS;
  let cancelWrite: (() => void) | undefined;
  let cancelBeat: (() => void) | undefined;

  function moment(): Moment | undefined {
    const boot = machine.boot();
    return boot && { ...boot, clock: clock.now() };
  }

  /** What of a session only the machine tells: when its process began, and whether a hook has noted its wait. */
  function withSigns(sessions: readonly KeptSession[]): KeptSession[] {
    const known = starts;
    starts = new Map();
    const isNoted = sessions.some(({ waits }) => waits.length > 0) ? notedWaits() : () => false;
    return sessions.map((session) => {
      const { pid, waits } = session;
      const noted = waits.length > 0 && isNoted(session) ? { noted: true } : {};
      if (pid === undefined) return { ...session, ...noted };
      const start = known.has(pid) ? known.get(pid) : machine.startOf(pid);
      starts.set(pid, start);
      return { ...session, ...noted, start };
    });
  }

  function drop(): void {
    if (written !== undefined) removeIfPossible(file);
    written = undefined;
  }

  /** @param isBeat whether it is to be written though nothing has changed */
  function write(isBeat: boolean): void {
    cancelWrite?.();
    cancelWrite = undefined;
    const began = performance.now();
    const sessions = withSigns(legacy().kept());
    const at = sessions.length > 0 ? moment() : undefined;
    if (!at) return end(drop);
    const rows = rosterText(sessions);
    if (rows !== written || isBeat) {
      end(() => {
        try {
          writeRoster(file, at, rows);
          written = rows;
        } catch {
          // What stands there is not true any more.
          written ??= "";
          drop();
        }
      });
      cancelBeat = clock.after(BEAT_MS, () => write(true));
    }
    pace = Math.max(WRITE_MS, (performance.now() - began) / WRITE_SHARE);
  }

  /** The next beat is counted from here, if there is one. */
  function end(act: () => void): void {
    cancelBeat?.();
    cancelBeat = undefined;
    act();
  }

  function isStillThere({ base, waits, noted, pid, start }: KeptSession, away: number): boolean {
    const isRecent = away <= (base === "working" && waits.length === 0 ? WORKING_AWAY_MS : AWAY_MS);
    if (pid === undefined) return isRecent;
    // A wait is the last thing to be lost from sight: whose end would have been noted goes on, however long moth was away.
    return (isRecent || (waits.length > 0 && noted === true)) && isAlive(pid) && machine.startOf(pid) === start;
  }

  return {
    changed(when) {
      if (isClosed) return;
      if (when === "at once") write(false);
      else cancelWrite ??= clock.after(pace, () => write(false));
    },
    restore() {
      removeDrafts(file);
      const now = moment();
      const kept = readRoster(file);
      const away = kept && now && passed(kept.moment, now);
      // Whatever stands there: it is from before.
      written = "";
      if (!kept || !now || away === undefined) return drop();
      const isNoted = notedWaits();
      const asNoted = kept.sessions.map((session) => (session.noted && !isNoted(session) ? withoutWaits(session) : session));
      const there = asNoted.filter((session) => isStillThere(session, away));
      if (there.length === 0) return drop();
      const shift = now.clock - kept.moment.clock - away;
      // Less than a second is how exactly both are told.
      legacy().restore(there, Math.abs(shift) < 1000 ? 0 : shift);
      write(true);
    },
    close() {
      if (isClosed) return;
      write(true);
      isClosed = true;
      end(() => undefined);
    },
  };
}

function withoutWaits(session: KeptSession): KeptSession {
  return { ...session, waits: [], unread: session.unread === "waits" ? undefined : session.unread };
}
