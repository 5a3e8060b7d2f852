/** What moth said last in each session of this dsh, for dsh's own page: asked for after a turn, kept until the next one. */
import { showInHarness } from "@moth-companion/core/config";
import { ownLine, type Remark } from "@moth-companion/core/own-line";
import type { Env } from "@moth-companion/core/paths";
import { talk, type Talk } from "@moth-companion/core/talk";

/** Sessions with a line at once, at most. */
const MAX_LINES = 100;

export interface Lines {
  /** A turn of the session has begun, or the session is over: its line goes. */
  drop(session: string): void;
  /** A turn was reported at `after`, in milliseconds since 1970: its line is asked for, and nobody waits. */
  ended(session: string, after: number): void;
  /** The person says something to moth in the session. `shown`: the answer takes the line's place. */
  say(session: string, words: string): { shown: boolean; answer: Promise<Talk> };
  /** The line the session has, once moth has made up its mind. */
  of(session: string): Promise<Remark | undefined>;
  close(): void;
}

interface Line {
  asking: AbortController;
  answer: Promise<Remark | undefined>;
}

/** @param source whose sessions they are */
export function createLines(source: string, env: Env = process.env): Lines {
  const lines = new Map<string, Line>();

  function drop(session: string): void {
    lines.get(session)?.asking.abort();
    lines.delete(session);
  }

  function keep(session: string, ask: (signal: AbortSignal) => Promise<Remark | undefined>): void {
    drop(session);
    const asking = new AbortController();
    lines.set(session, { asking, answer: ask(asking.signal) });
    const [oldest] = lines.keys();
    if (lines.size > MAX_LINES && oldest !== undefined) drop(oldest);
  }

  return {
    drop,
    ended(session, after) {
      drop(session);
      if (showInHarness(env).value) keep(session, (signal) => ownLine({ source, session }, after, { env, signal }));
    },
    say(session, words) {
      const answer = talk(words, { env });
      const shown = showInHarness(env).value;
      if (shown) keep(session, () => answer.then((said) => (said.ok ? { text: said.text } : undefined)));
      return { shown, answer };
    },
    async of(session) {
      const line = await lines.get(session)?.answer;
      // It may have been turned off since.
      return showInHarness(env).value ? line : undefined;
    },
    close() {
      for (const session of lines.keys()) drop(session);
    },
  };
}
