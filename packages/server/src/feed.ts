/** Hands new events to whoever waits for them: long polls and streams. */
import type { LogAnswer } from "@moth-companion/core/protocol";
import type { Clock } from "./clock.ts";
import type { Log, Position } from "./log.ts";

/** A comment this often tells both ends that the other is there. */
export const HEARTBEAT_MS = 15_000;
/** Long polls and streams at once. */
export const MAX_WAITING = 64;
/** A stream's reader that lets this many events pass without reading is dropped. */
const MAX_BEHIND = 1000;
/** Characters handed to a reader before it has read the last ones. */
const CHUNK = 64 * 1024;

/** One end of a stream. */
export interface Sink {
  /** Returns false when the reader is behind; then `onDrain` is called once it has caught up. */
  write(text: string): boolean;
  /** Ends the stream in good order. */
  end(): void;
  /** Cuts it off. */
  drop(): void;
}

export interface Reader {
  /** The sink takes text again. */
  onDrain(): void;
  /** The other end has gone. */
  onClose(): void;
}

export interface Feed {
  /** Answers as soon as there is something past `from`, at the latest after `ms`. `onClose` takes what to do when the asker goes. */
  poll(from: Position, ms: number, onClose: (fn: () => void) => void): Promise<LogAnswer>;
  /** Resolves as soon as `isDue`, which is asked now and after each event, at the latest after `ms`. */
  wait(isDue: () => boolean, ms: number, onClose: (fn: () => void) => void): Promise<void>;
  /** Sends every event from a position on, as server-sent events, until either end goes. */
  stream(from: Position, sink: Sink): Reader;
  /** Whether there is room for one more. */
  readonly hasRoom: boolean;
  /** Answers every poll and ends every stream, now and from now on. */
  close(): void;
}

export function createFeed(log: Log, clock: Clock): Feed {
  const waiting = new Set<() => void>();
  let closed = false;

  /** What a stream's reader has not been handed: at most a chunk, and where it goes on. */
  function chunkFrom(from: Position): { text: string; after: Position; isWhole: boolean } {
    const { epoch, next, events } = log.read(from);
    let text = from.epoch === epoch ? "" : `event: epoch\ndata: ${JSON.stringify({ epoch, next })}\n\n`;
    for (const event of events) {
      if (text.length > CHUNK) return { text, after: { since: event.id, epoch }, isWhole: false };
      text += `id: ${epoch}:${event.id}\ndata: ${JSON.stringify(event)}\n\n`;
    }
    return { text, after: { since: next, epoch }, isWhole: true };
  }

  function wait(isDue: () => boolean, ms: number, onClose: (fn: () => void) => void): Promise<void> {
    if (isDue() || closed || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = (): void => {
        cancel();
        unlisten();
        waiting.delete(finish);
        resolve();
      };
      const cancel = clock.after(ms, finish);
      const unlisten = log.listen(() => {
        if (isDue()) finish();
      });
      waiting.add(finish);
      onClose(finish);
    });
  }

  return {
    wait,
    poll(from, ms, onClose) {
      // Without an epoch of its own, the poll still sees that the log was forgotten while it waited.
      const asked: Position = { since: from.since, epoch: from.epoch ?? log.epoch };
      const hasNews = (): boolean => log.next > asked.since || asked.epoch !== log.epoch || asked.since > log.next;
      return wait(hasNews, ms, onClose).then(() => log.read(asked));
    },
    stream(from, sink) {
      let at: Position = from;
      let canWrite = true;
      /** Where the log stood when the reader fell behind. */
      let behindSince = 0;
      let missedBeats = 0;
      let isOpen = true;

      function pump(): void {
        let isWhole = false;
        while (canWrite && !isWhole) {
          const chunk = chunkFrom(at);
          ({ after: at, isWhole } = chunk);
          if (chunk.text !== "") canWrite = sink.write(chunk.text);
          if (!canWrite) behindSince = log.next;
        }
        if (!canWrite && log.next - behindSince > MAX_BEHIND) drop();
      }
      function release(): void {
        isOpen = false;
        unlisten();
        cancelBeat();
        waiting.delete(end);
      }
      function drop(): void {
        release();
        sink.drop();
      }
      function end(): void {
        release();
        sink.end();
      }
      function beat(): void {
        missedBeats = canWrite ? 0 : missedBeats + 1;
        if (missedBeats > 2) return drop();
        if (canWrite) canWrite = sink.write(": moth\n\n");
        cancelBeat = clock.after(HEARTBEAT_MS, beat);
      }

      let cancelBeat = clock.after(HEARTBEAT_MS, beat);
      const unlisten = log.listen(pump);
      waiting.add(end);
      pump();
      if (closed && isOpen) end();
      return {
        onDrain() {
          canWrite = true;
          if (isOpen) pump();
        },
        onClose() {
          if (isOpen) release();
        },
      };
    },
    get hasRoom() {
      return waiting.size < MAX_WAITING;
    },
    close() {
      closed = true;
      for (const finish of waiting) finish();
    },
  };
}
