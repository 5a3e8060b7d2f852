import type { Want } from "@moth-companion/core/protocol";
import { type Happening, keyOf } from "./happenings.ts";

const MAX_SESSIONS = 1000;

/** What the person has not looked at. Kept here and nowhere else, so that looking anywhere clears it everywhere. */
export interface Unread {
  hear(happening: Happening): void;
  /** Without `whom`: at everything. Returns whether there was something to look at. */
  seen(whom: { source: string; session: string } | undefined): boolean;
  of(source: string, session: string): Want | undefined;
  restore(who: { source: string; session: string }, want: Want): void;
  clear(): void;
}

export function createUnread(): Unread {
  const wants = new Map<string, Want>();
  return {
    hear({ what, source, session }) {
      const key = keyOf(source, session);
      wants.delete(key);
      if (what !== "on") wants.set(key, what);
      if (wants.size > MAX_SESSIONS) wants.delete(wants.keys().next().value ?? "");
    },
    seen(whom) {
      if (whom) return wants.delete(keyOf(whom.source, whom.session));
      const had = wants.size > 0;
      wants.clear();
      return had;
    },
    of: (source, session) => wants.get(keyOf(source, session)),
    restore: ({ source, session }, want) => void wants.set(keyOf(source, session), want),
    clear: () => wants.clear(),
  };
}
