/**
 * The second signal: Gemini CLI's recording of a session. It tells of what fires no hook (0.61.0): Esc in a dialog. And a process has
 * one session at a time: of two, the older one is over, whatever put another in its place.
 */
import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readLedger } from "../install/ledger.ts";
import { readTail } from "../tail.ts";
import type { WatchedSession, WatchHost } from "../types.ts";
import { configDir } from "./detect.ts";
import { SOURCE } from "./payload.ts";
import { type Ending, lastEnding, TAIL_BYTES } from "./transcript.ts";

const LOOK_EVERY_MS = 250;
/** The hook at a turn's end comes within a third of a second of the record. */
const SETTLE_MS = 1000;
/** A recording may come yet, or be gone on with in another file when its session is taken up again. */
const FIND_EVERY_MS = 2000;

/** What is known of a session's recording. */
interface Recording {
  file: string | undefined;
  /** When it was looked for. */
  sought: number;
  size: number;
  ending: Ending | undefined;
}

export function startWatch(host: WatchHost): { stop(): void } {
  const recordings = new Map<string, Recording>();

  function look(): void {
    const sessions = host.sessions();
    for (const session of recordings.keys()) if (!sessions.some((one) => one.session === session)) recordings.delete(session);
    for (const session of sessions) {
      const heir = sessions.find((other) => other.pid !== undefined && other.pid === session.pid && other.seq > session.seq);
      if (heir) host.report({ session: session.session, state: "gone", seq: heir.seq });
      else if (session.state === "working" || session.state === "waiting") conclude(session);
    }
  }

  /** Tells of a turn that ended without a hook; or whose hook ran while moth was away. */
  function conclude({ session, state, seq, pid, restored }: WatchedSession): void {
    const ending = read(session);
    if (!ending || (ending.outcome === "done" && restored === undefined) || ending.at <= seq) return;
    if ((state === "working" || ending.outcome === "done") && host.now() - ending.at < SETTLE_MS) return;
    host.report({ session, state: "idle", outcome: ending.outcome, seq: ending.at, ...(pid !== undefined && { pid }) });
  }

  function read(session: string): Ending | undefined {
    const now = host.now();
    const known: Recording = recordings.get(session) ?? {
      file: undefined,
      sought: Number.NEGATIVE_INFINITY,
      size: -1,
      ending: undefined,
    };
    recordings.set(session, known);
    if (now - known.sought >= FIND_EVERY_MS) {
      const file = findRecording(configDirs(host), session);
      if (file !== known.file) known.size = -1;
      Object.assign(known, { file, sought: now });
    }
    if (known.file === undefined) return undefined;
    const size = statSync(known.file, { throwIfNoEntry: false })?.size ?? 0;
    if (size !== known.size) {
      known.size = size;
      known.ending = lastEnding((readTail(known.file, TAIL_BYTES) ?? "").split("\n"));
    }
    return known.ending;
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

/** `tmp/<project>/chats/session-<time>-<the id's first 8>.jsonl`; the one last written, should there be several. */
function findRecording(configDirs: readonly string[], session: string): string | undefined {
  const end = `-${session.slice(0, 8)}.jsonl`;
  const found = configDirs.flatMap((folder) =>
    list(join(folder, "tmp")).flatMap((project) => {
      const chats = join(folder, "tmp", project, "chats");
      return list(chats).flatMap((name) => (name.startsWith("session-") && name.endsWith(end) ? [join(chats, name)] : []));
    }),
  );
  return found.length < 2 ? found[0] : found.toSorted((a, b) => written(a) - written(b)).at(-1);
}

function written(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The settings folder of the server's environment, and those moth was hooked into. */
function configDirs({ env }: WatchHost): string[] {
  const hooked = Object.entries(readLedger(env)).filter(([, note]) => note.harness === SOURCE);
  return [...new Set([configDir(env), ...hooked.map(([file]) => dirname(file))])];
}
