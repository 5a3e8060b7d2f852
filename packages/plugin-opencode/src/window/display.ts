import { showInHarness } from "@moth-companion/core/config";
import { ownLine } from "@moth-companion/core/own-line";
import type { Env } from "@moth-companion/core/paths";
import { talk } from "@moth-companion/core/talk";
import { oneLine } from "@moth-companion/core/text";

/** Sessions whose lines are kept at once, at most: a window shows one, and the person may come back to another. */
const MAX_SESSIONS = 50;
/** Where no session is open. */
export const NOWHERE = "";

/**
 * moth's lines, each under the session it is about, when the person has turned that on. The harness waits for nothing here, and the
 * model reads nothing of it.
 */
export interface Display {
  /** A session works. It says so more than once in a turn. */
  busy(session: string): void;
  /** Its turn is over: shows moth's line about it, if one comes. */
  idle(session: string): void;
  /** What to show where this session is open. */
  lines(session: string): readonly string[];
  /** Says something to moth, and shows the reply where this session is open. */
  say(words: string, session: string): void;
  /** The window closes. */
  close(): void;
}

export interface DisplayOptions {
  source: string;
  env?: Env;
  /** What {@link Display.lines} gives is another now. */
  changed: () => void;
  /** Shows something once, where the harness shows its own news. */
  notice: (text: string, kind: "info" | "warning") => void;
}

export function createDisplay({ source, env = process.env, changed, notice }: DisplayOptions): Display {
  const shown = new Map<string, readonly string[]>();
  /** When the turns that run began, in milliseconds since 1970. */
  const began = new Map<string, number>();
  const waiting = new Map<string, AbortController>();
  const closing = new AbortController();

  const isOn = (): boolean => showInHarness(env).value;

  function show(session: string, lines: readonly string[]): void {
    if (!shown.delete(session) && lines.length === 0) return;
    if (lines.length > 0) shown.set(session, lines);
    const [oldest] = shown.keys();
    if (shown.size > MAX_SESSIONS && oldest !== undefined) shown.delete(oldest);
    changed();
  }

  async function awaitLine(session: string, after: number, signal: AbortSignal): Promise<void> {
    const line = await ownLine({ source, session }, after, { env, signal });
    // It may have been turned off while moth was thinking.
    if (line && !signal.aborted && isOn()) show(session, [`moth> ${line.text}`]);
  }

  async function converse(words: string, session: string): Promise<void> {
    const said = `you> ${oneLine(words)}`;
    const own = isOn();
    if (own) show(session, [said]);
    const reply = await talk(words, { env, signal: closing.signal });
    if (closing.signal.aborted) return;
    if (!reply.ok) {
      if (own) show(session, []);
      notice(reply.problem, "warning");
    } else if (own) show(session, [said, `moth> ${reply.text}`]);
    else notice(reply.text, "info");
  }

  function stopWaiting(session: string): void {
    waiting.get(session)?.abort();
    waiting.delete(session);
  }

  return {
    busy(session) {
      if (began.has(session)) return;
      began.set(session, Date.now());
      // The person goes on: what is shown has had its time.
      stopWaiting(session);
      show(session, []);
    },
    idle(session) {
      const after = began.get(session);
      began.delete(session);
      // A stopped turn is called idle twice.
      if (after === undefined || !isOn()) return;
      const wait = new AbortController();
      waiting.set(session, wait);
      awaitLine(session, after, wait.signal)
        .catch(() => {})
        .finally(() => waiting.get(session) === wait && waiting.delete(session));
    },
    lines: (session) => shown.get(session) ?? [],
    say(words, session) {
      if (oneLine(words) !== "") converse(words, session).catch(() => {});
    },
    close() {
      closing.abort();
      for (const session of waiting.keys()) stopWaiting(session);
    },
  };
}
