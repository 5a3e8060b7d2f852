/** What moth said last in each session of this dsh, for dsh's own page: asked for after a turn, kept until the next one. */
import { showInHarness } from "@moth-companion/core/config";
import { ownLine, type Remark } from "@moth-companion/core/own-line";
import type { Env } from "@moth-companion/core/paths";
import { talk, type Talk } from "@moth-companion/core/talk";

/** Sessions with a line at once, at most. */
const MAX_LINES = 100;

export interface Lines {
  /** A turn of the session runs: with the switch off, its line goes. */
  began(session: string): void;
  /** A turn was reported at `after`, in milliseconds since 1970: its line is asked for, and nobody waits. */
  ended(session: string, after: number): void;
  /** The person says something to moth in the session. `shown`: the answer takes the line's place. */
  say(session: string, words: string): { shown: boolean; answer: Promise<Talk> };
  /** The line the session has, once moth has made up its mind. */
  of(session: string): Promise<Remark | undefined>;
  left(session: string): void;
  close(): void;
}

interface Line {
  asking: AbortController;
  answer: Promise<Remark | undefined>;
}

/** @param source whose sessions they are */
export function createLines(source: string, env: Env = process.env): Lines {
  const lines = new Map<string, Line>();

  function left(session: string): void {
    lines.get(session)?.asking.abort();
    lines.delete(session);
  }

  function keep(session: string, ask: (signal: AbortSignal) => Promise<Remark | undefined>): void {
    left(session);
    const asking = new AbortController();
    lines.set(session, { asking, answer: ask(asking.signal) });
    const [oldest] = lines.keys();
    if (lines.size > MAX_LINES && oldest !== undefined) left(oldest);
  }

  return {
    began(session) {
      if (!showInHarness(env).value) left(session);
    },
    ended(session, after) {
      left(session);
      if (!showInHarness(env).value) return;
      keep(session, (signal) => ownLine({ source, session }, after, { env, signal }));
    },
    say(session, words) {
      const answer = talk(words, { env });
      const shown = showInHarness(env).value;
      if (shown) keep(session, () => answer.then((said) => (said.ok ? { text: said.text } : undefined)));
      return { shown, answer };
    },
    // Read again: a page may be opened long after the turn.
    of: async (session) => (showInHarness(env).value ? await lines.get(session)?.answer : undefined),
    left,
    close() {
      for (const session of lines.keys()) left(session);
    },
  };
}
