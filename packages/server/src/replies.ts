import type { Reply, TurnReport } from "@moth-companion/core/protocol";

/** How much is kept: sessions, and UTF-16 units of their replies together. The newest reply is kept whatever its size. */
export interface RepliesLimits {
  sessions: number;
  text: number;
}

const LIMITS: RepliesLimits = { sessions: 500, text: 1024 * 1024 };

interface Kept {
  reply: Reply;
  seq: number | undefined;
}

/** The last reply of each session: there at once, while the log shows a turn only when moth has decided about it. */
export interface Replies {
  put(report: TurnReport, now: number): void;
  get(source: string, session: string): Reply | undefined;
  clear(): void;
}

export function createReplies(limits: RepliesLimits = LIMITS): Replies {
  /** A Map keeps the order in which things were put in. */
  const kept = new Map<string, Kept>();
  let size = 0;

  function forget(key: string): void {
    size -= kept.get(key)?.reply.text.length ?? 0;
    kept.delete(key);
  }

  return {
    put({ source, session = "", text, chars, outcome = "done", seq }, now) {
      const key = keyOf(source, session);
      const before = kept.get(key)?.seq;
      if (seq !== undefined && before !== undefined && seq < before) return;
      forget(key);
      kept.set(key, { reply: { text, ...(chars !== undefined && { chars }), outcome, time: now }, seq });
      size += text.length;
      for (const oldest of kept.keys()) {
        if (kept.size === 1 || (kept.size <= limits.sessions && size <= limits.text)) break;
        forget(oldest);
      }
    },
    get: (source, session) => kept.get(keyOf(source, session))?.reply,
    clear() {
      kept.clear();
      size = 0;
    },
  };
}

/** Clean ids hold no line break. */
function keyOf(source: string, session: string): string {
  return `${source}\n${session}`;
}
