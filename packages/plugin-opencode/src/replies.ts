import type { Message } from "./event.ts";

/** Messages of one session remembered while they are written, at most: more than that were never finished. */
const MAX_OPEN = 16;

/**
 * The words of the messages that are being written. Only what was begun and finished before our eyes is a reply: the copies in a
 * forked session, and what stands in an older one, appear as finished at once.
 */
export interface Replies {
  /** A message was begun, changed or finished. Returns a finished one's words; undefined when it was not begun here. */
  message(message: Message): string | undefined;
  /** A part of a message, whole. Parts of messages that are not being written, such as the person's, are not kept. */
  part(message: string, part: string, text: string): void;
}

export function createReplies(): Replies {
  // Parts in the order they were begun.
  const open = new Map<string, Map<string, string>>();
  return {
    message({ id, complete }) {
      const parts = open.get(id);
      if (complete) {
        open.delete(id);
        return parts && [...parts.values()].join("\n\n");
      }
      if (parts) return undefined;
      open.set(id, new Map());
      const [oldest] = open.keys();
      if (open.size > MAX_OPEN && oldest !== undefined) open.delete(oldest);
      return undefined;
    },
    part: (message, part, text) => void open.get(message)?.set(part, text),
  };
}
