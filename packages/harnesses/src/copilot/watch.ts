/**
 * The second signal: Copilot's own records of its sessions. They tell of what fires no hook (1.0.102): Esc, an error that ends a turn,
 * a permission that was given, a plan to be approved. Read, never written.
 */
import { basename, dirname } from "node:path";
import { readLedger } from "../install/ledger.ts";
import type { WatchedSession, WatchHost } from "../types.ts";
import { type Course, follow, newCourse } from "./course.ts";
import { copilotHome, HOOK_FILE } from "./detect.ts";
import { judge, type Verdict } from "./judge.ts";
import { SOURCE } from "./payload.ts";
import { openRecord, type RecordReader } from "./record-reader.ts";
import { COURSE, parseRecords, recordFile } from "./records.ts";

/** A look asks for the size of a file a session, and sessions that rest are not looked at. */
const LOOK_EVERY_MS = 250;
/** After a reply another tool's hook may send the agent on. A moth that was away looks at what it takes back for as long. */
const REST_AFTER_MS = 10_000;
/** Folders of other profiles come with their `moth hook`. */
const FOLDERS_EVERY_MS = 10_000;

interface Followed {
  /** In each folder where the session's record may lie. */
  readers: RecordReader[];
  course: Course;
  /** Ids of waits that were reported. */
  told: Set<string>;
  /** What was seen, while it has to settle. */
  pending: { key: string; since: number } | undefined;
}

export function startWatch(host: WatchHost): { stop(): void } {
  const followed = new Map<string, Followed>();
  let folders = { list: [] as string[], read: Number.NEGATIVE_INFINITY };

  function look(): void {
    const sessions = host.sessions().filter((session) => mayMove(session, host.now()));
    const known = new Set(sessions.map(({ session }) => session));
    for (const session of followed.keys()) if (!known.has(session)) followed.delete(session);
    if (sessions.length === 0) return;
    if (host.now() - folders.read >= FOLDERS_EVERY_MS) folders = { list: homes(host), read: host.now() };
    for (const session of sessions) {
      const its = followed.get(session.session) ?? begin(session.session);
      followed.set(session.session, its);
      catchUp(its);
      const verdicts = judge(its.course, session, its.told);
      if (verdicts.length === 0) its.pending = undefined;
      for (const verdict of verdicts) settle(its, verdict);
    }
  }

  function begin(session: string): Followed {
    const files = folders.list.map((home) => recordFile(home, session)).filter((file) => file !== undefined);
    return { readers: files.map((file) => openRecord(file)), course: newCourse(), told: new Set(), pending: undefined };
  }

  function settle(its: Followed, { report, settleMs }: Verdict): void {
    if (settleMs > 0) {
      const key = `${report.state} ${report.outcome ?? ""} ${report.seq}`;
      const since = its.pending?.key === key ? its.pending.since : host.now();
      its.pending = { key, since };
      if (host.now() - since < settleMs) return;
    }
    if (report.wait) its.told.add(report.wait.id);
    host.report(report);
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

function mayMove({ state, since, restored = since }: WatchedSession, now: number): boolean {
  return state !== "idle" || now - Math.max(since, restored) < REST_AFTER_MS;
}

function catchUp(its: Followed): void {
  for (const reader of its.readers) {
    const news = reader.next();
    if (!news) continue;
    if (news.anew) its.course = newCourse();
    for (const record of parseRecords(news.text, COURSE)) follow(its.course, record);
    return;
  }
}

/** Where Copilot may keep its records: the folder of the server's environment, and those moth was hooked into. */
function homes({ env }: WatchHost): string[] {
  const hooked = Object.entries(readLedger(env))
    .filter(([file, note]) => note.harness === SOURCE && basename(file) === HOOK_FILE)
    .map(([file]) => dirname(dirname(file)));
  return [...new Set([copilotHome(env), ...hooked])];
}
