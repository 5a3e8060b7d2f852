/**
 * The second signal: Codex's records of its sessions, and the socket of its background daemon where one runs. They tell of what fires
 * no hook (0.171.0): a turn that failed, a permission that was given, a session that was left for another one.
 */
import type { WatchedSession, WatchHost } from "../types.ts";
import { listConfigDirs } from "./config-dirs.ts";
import { watchDaemons } from "./daemon-watch.ts";
import { judge, left, type Verdict } from "./judge.ts";
import { readWaitId } from "./payload.ts";
import { findRollout, followRollout } from "./rollout.ts";
import { advance, newTurn, type Turn } from "./turn.ts";

/** A look costs one `stat` for each session that works or waits; those that rest are not looked at. */
const LOOK_EVERY_MS = 250;
/** Folders of other profiles come with their `moth hook`. */
const FOLDERS_EVERY_MS = 10_000;

/** A record that is not there is looked for again. */
const MISSING_EVERY_MS = 2000;

interface Followed {
  turn: Turn;
  look(): void;
}

export function startWatch(host: WatchHost): { stop(): void } {
  const followed = new Map<string, Followed>();
  /** Sessions whose record was not found, and when. */
  const missing = new Map<string, number>();
  /** What was concluded of a session, while it has to settle. */
  const pending = new Map<string, { key: string; since: number }>();
  let folders = { list: [] as string[], read: Number.NEGATIVE_INFINITY };
  const configDirs = (): readonly string[] => {
    if (host.now() - folders.read >= FOLDERS_EVERY_MS) folders = { list: listConfigDirs(host.env), read: host.now() };
    return folders.list;
  };

  function look(): void {
    const sessions = host.sessions();
    const moving = sessions.filter(({ state }) => state !== "idle");
    forget(moving);
    for (const session of moving) {
      const turn = follow(session.session);
      const agent = session.wait && readWaitId(session.wait.id).agent;
      const verdict = turn && judge(session, turn, agent === undefined ? undefined : follow(agent));
      if (verdict) settle(session, verdict);
      else pending.delete(session.session);
    }
    for (const { session, seq } of left(sessions)) host.report({ session, seq, state: "gone" });
  }

  /** Where the turn of a session or a subagent stands now. */
  function follow(id: string): Turn | undefined {
    const known = followed.get(id) ?? begin(id);
    known?.look();
    return known?.turn;
  }

  function begin(id: string): Followed | undefined {
    if (host.now() - (missing.get(id) ?? Number.NEGATIVE_INFINITY) < MISSING_EVERY_MS) return undefined;
    const file = configDirs()
      .map((folder) => findRollout(folder, id))
      .find((one) => one !== undefined);
    if (file === undefined) {
      missing.set(id, host.now());
      return undefined;
    }
    const turn = newTurn();
    const next = followRollout(file);
    const entry = { turn, look: () => next().forEach((line) => advance(turn, line)) };
    followed.set(id, entry);
    return entry;
  }

  function settle({ session }: WatchedSession, { report, settleMs }: Verdict): void {
    const key = `${report.state} ${report.seq} ${report.ended}`;
    const seen = pending.get(session);
    const since = seen?.key === key ? seen.since : host.now();
    if (host.now() - since < settleMs) {
      pending.set(session, { key, since });
      return;
    }
    pending.delete(session);
    host.report(report);
  }

  function forget(sessions: readonly WatchedSession[]): void {
    const needed = new Set(sessions.flatMap(({ session, wait }) => [session, wait && readWaitId(wait.id).agent]));
    for (const notes of [followed, missing, pending]) for (const id of notes.keys()) if (!needed.has(id)) notes.delete(id);
  }

  const daemons = watchDaemons(host, configDirs);
  const timer = setInterval(() => {
    try {
      look();
      daemons.look();
    } catch {
      // A watch that fails costs the second signal, never the server.
    }
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      daemons.stop();
    },
  };
}
