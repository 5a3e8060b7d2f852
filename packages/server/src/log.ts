import type { LogAnswer, MothEvent, NewEvent, SaysAnswer, SayEvent } from "@moth-companion/core/protocol";
import { createFifo } from "./fifo.ts";
import { withoutAsked } from "./session.ts";

export interface LogLimits {
  events: number;
  /** UTF-16 units of text in all events together. The newest event is kept whatever its size. */
  text: number;
}

const LOG_LIMITS: LogLimits = { events: 2000, text: 4 * 1024 * 1024 };

/** Where a reader stands: the first event it wants, and the log it counts in. Without an epoch, the present log. */
export interface Position {
  since: number;
  epoch: string | undefined;
}

interface SaysFilter {
  source?: string | undefined;
  session?: string | undefined;
  /** Milliseconds since 1970. */
  after?: number | undefined;
}

/** A ring of the newest events. Ids count on while old events fall out. */
export interface Log {
  readonly epoch: string;
  /** The id of the event to come. */
  readonly next: number;
  append(event: NewEvent, now: number): MothEvent;
  /** The events from a position on. One that is of another epoch, or past the end, reads from the start. */
  read(from: Position): LogAnswer;
  /**
   * moth's own lines; with `only`, those that answer a turn of this source or session, or were said at or after a time. `next` counts
   * every event.
   * @param trusted whether the reader has the token. One without gets no quotes, no folder names and none of what moth told the person.
   */
  says(from: Position, only: SaysFilter, trusted: boolean): SaysAnswer;
  /** Forgets what agents have asked. */
  hideAsked(): void;
  /** Forgets everything and takes a new epoch. */
  reset(): void;
  /** Calls `fn` after every append and reset. Returns the function that ends it. */
  listen(fn: () => void): () => void;
}

/** @param newEpoch makes a word that no other log has; without `:` in it */
export function createLog(newEpoch: () => string, limits: LogLimits = LOG_LIMITS): Log {
  let epoch = newEpoch();
  const events = createFifo<MothEvent>();
  let text = 0;
  let next = 0;
  const listeners = new Set<() => void>();

  function tell(): void {
    for (const listener of listeners) listener();
  }

  function from({ since, epoch: asked }: Position): MothEvent[] {
    if ((asked !== undefined && asked !== epoch) || since > next) return events.from(0);
    return events.from(Math.max(0, since - (next - events.size)));
  }

  return {
    get epoch() {
      return epoch;
    },
    get next() {
      return next;
    },
    append(event, now) {
      const entry: MothEvent = { id: next++, time: now, ...event };
      events.push(entry);
      text += sizeOf(entry);
      while (events.size > 1 && (events.size > limits.events || text > limits.text)) text -= sizeOf(events.shift()!);
      tell();
      return entry;
    },
    read: (position) => ({ epoch, next, events: from(position) }),
    says(position, { source, session, after = 0 }, trusted) {
      const says = from(position)
        .filter((event): event is SayEvent => event.kind === "say")
        .filter((say) => (source ?? say.source) === say.source && (session ?? say.session) === say.session)
        .filter((say) => say.time >= after);
      return { epoch, next, says: trusted ? says.map(withQuote) : says.filter((say) => say.card !== undefined).map(withoutName) };
    },
    hideAsked() {
      for (const event of events.from(0)) if (event.kind === "state" && event.wait) event.wait = withoutAsked(event.wait);
    },
    reset() {
      epoch = newEpoch();
      events.clear();
      text = next = 0;
      tell();
    },
    listen(fn) {
      listeners.add(fn);
      return () => listeners.delete(fn);
    },
  };
}

function sizeOf(event: MothEvent): number {
  return "text" in event ? event.text.length : 0;
}

function withQuote({ text, quote }: SayEvent): { text: string; quote?: string } {
  return quote === undefined ? { text } : { text, quote };
}

/** A remark may call a session by its label, which is the name of a folder of the person's, and name a file of the agent's. */
function withoutName({ text, label, names = [] }: SayEvent): { text: string } {
  const unnamed = names.reduce((rest, name) => without(rest, name, "something"), text);
  return { text: label ? without(unnamed, label, "your session") : unnamed };
}

function without(text: string, name: string, instead: string): string {
  const pattern = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return text.replace(new RegExp(`(?<![\\p{L}\\d])${pattern}(?![\\p{L}\\d])`, "giu"), instead);
}
