/**
 * The second signal: Claude Code's session registry. It tells of what fires no hook (2.1.332): Esc, a refused permission, a
 * cancelled question or plan, and queued prompts, which begin long after their hook fired. Read, never written.
 */
import { basename, dirname } from "node:path";
import { readLedger } from "../install/ledger.ts";
import type { WatchedSession, WatchHost } from "../types.ts";
import { configDir } from "./config-dir.ts";
import { judge, type Verdict } from "./judge.ts";
import { SOURCE } from "./payload.ts";
import { readNote, type SessionNote } from "./registry-file.ts";

/** A look costs about 50 µs a session, and sessions that rest are not looked at. */
const LOOK_EVERY_MS = 250;
/** After a reply a queued prompt may begin at once. A moth that was away looks at what it takes back for as long. */
const REST_AFTER_MS = 10_000;
/** Folders of other profiles come with their `moth hook`. */
const FOLDERS_EVERY_MS = 10_000;

/** What was seen of a session, while it has to settle. */
interface Pending {
  key: string;
  since: number;
}

export function startWatch(host: WatchHost): { stop(): void } {
  const pending = new Map<string, Pending>();
  /** Sessions whose state moth knows from the registry alone. */
  const own = new Map<string, number>();
  let folders = { list: [] as string[], read: Number.NEGATIVE_INFINITY };

  function look(): void {
    const sessions = host.sessions().filter((session) => mayMove(session, host.now()));
    forget(sessions);
    if (sessions.length === 0) return;
    if (host.now() - folders.read >= FOLDERS_EVERY_MS) folders = { list: configDirs(host), read: host.now() };
    for (const session of sessions) {
      const note = findNote(folders.list, session);
      const verdict = note && judge(note, session, own.get(session.session) === session.seq);
      if (verdict) settle(session, verdict);
      else pending.delete(session.session);
    }
  }

  function settle({ session, state }: WatchedSession, { report, settleMs }: Verdict): void {
    const key = `${report.state} ${report.seq}`;
    const seen = pending.get(session);
    const since = seen?.key === key ? seen.since : host.now();
    if (host.now() - since < settleMs) {
      pending.set(session, { key, since });
      return;
    }
    pending.delete(session);
    if (report.state === "working" && state === "idle") own.set(session, report.seq ?? 0);
    host.report(report);
  }

  function forget(sessions: readonly WatchedSession[]): void {
    const known = new Set(sessions.map(({ session }) => session));
    for (const notes of [pending, own]) for (const session of notes.keys()) if (!known.has(session)) notes.delete(session);
  }

  const timer = setInterval(() => {
    try {
      look();
    } catch {
      // A watch that fails costs the second signal, never the server.
    }
  }, LOOK_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function mayMove({ state, since, pid, restored = since }: WatchedSession, now: number): boolean {
  return pid !== undefined && (state !== "idle" || now - Math.max(since, restored) < REST_AFTER_MS);
}

function findNote(configDirs: readonly string[], { session, pid = 0 }: WatchedSession): SessionNote | undefined {
  const notes = configDirs.map((folder) => readNote(folder, pid)).filter((note) => note !== undefined);
  return notes.find((note) => note.session === session) ?? notes[0];
}

/** Where Claude Code may keep its registry: the settings folder of the server's environment, and those moth was hooked into. */
function configDirs({ env }: WatchHost): string[] {
  const hooked = Object.entries(readLedger(env))
    .filter(([file, note]) => note.harness === SOURCE && basename(file) === "settings.json")
    .map(([file]) => dirname(file));
  return [...new Set([configDir(env), ...hooked])];
}
