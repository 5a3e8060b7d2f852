/** Answers and orders on their way to adapters that fetch them: the plugins and hooks that stand at their harness's door themselves. */
import type { Taken } from "@moth-companion/harnesses";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

/** An adapter asks again at once after each fetch, so one that is there is not away for longer. */
const AWAY_MS = 1500;
/** Nobody waits any longer to hear what became of a letter. */
const FORGOTTEN_MS = 10_000;

export interface Fetching {
  /** At the latest after so many milliseconds there is an answer. */
  ms: number;
  /** Takes what to do when the fetcher is gone. */
  onClose: (fn: () => void) => void;
  /** Whether nobody needs to wait any longer, looked at now and whenever `listen` calls. */
  over?: { isIt: () => boolean; listen: (look: () => void) => () => void };
}

export interface Mailbox<Content extends object> {
  /** Resolves with what became of it, by whoever fetches at this address; within 1.5 s when nobody does. */
  send(address: string, content: Content): Promise<Taken>;
  /** Resolves with a letter as soon as there is one, or that it is over; at the latest after `ms`, with neither. */
  fetch(address: string, fetching: Fetching): Promise<(Content & { id: string }) | { over: true } | Record<string, never>>;
  /** Whether somebody fetches at this address, or will again in a moment. */
  isAt(address: string): boolean;
  /** What became of a letter that was fetched. Returns false when nobody waits to hear it. */
  taken: (id: string, taken: Taken) => boolean;
  readonly hasRoom: boolean;
  /** Ends every fetch, now and from now on. */
  close: () => void;
}

interface Letter<Content> {
  id: string;
  address: string;
  content: Content;
  done: (taken: Taken) => void;
}

/** @param parts.name begins the letters' ids, so that those of two boxes stay apart; `maxFetchers` may wait at once */
export function createMailbox<Content extends object>(parts: {
  name: string;
  clock: Clock;
  log: Log;
  maxFetchers: number;
}): Mailbox<Content> {
  const { name, clock, log, maxFetchers } = parts;
  /** Those who wait for a letter. */
  const fetchers = new Map<string, (letter: Letter<Content>) => void>();
  /** Letters not fetched yet, the oldest first. */
  const lying = new Set<Letter<Content>>();
  const handed = new Map<string, Letter<Content>>();
  const waiting = new Set<() => void>();
  /** Where nobody fetches for just a moment. */
  const between = new Set<string>();
  let lastId = 0;
  let isClosed = false;

  function hand(letter: Letter<Content>): Content & { id: string } {
    lying.delete(letter);
    handed.set(letter.id, letter);
    clock.after(FORGOTTEN_MS, () => handed.delete(letter.id));
    return { ...letter.content, id: letter.id };
  }

  return {
    send: (address, content) =>
      new Promise((resolve) => {
        const id = `${name}-${log.epoch}-${++lastId}`;
        const done = (taken: Taken): void => {
          cancel();
          lying.delete(letter);
          handed.delete(id);
          resolve(taken);
        };
        const letter: Letter<Content> = { id, address, content, done };
        const cancel = clock.after(AWAY_MS, () => {
          // One that was fetched may still be told of: whoever sent it gives up by itself.
          if (lying.has(letter)) done({ taken: false, problem: "Nobody is at its door any more. Go to its own window." });
        });
        lying.add(letter);
        fetchers.get(address)?.(letter);
      }),
    fetch(address, { ms, onClose, over }) {
      const letter = [...lying].find((one) => one.address === address);
      if (letter) return Promise.resolve(hand(letter));
      if (isClosed) return Promise.resolve({});
      return new Promise((resolve) => {
        const finish = (answer: (Content & { id: string }) | { over: true } | Record<string, never>): void => {
          cancel();
          unlisten?.();
          waiting.delete(leave);
          if (fetchers.get(address) === deliver) fetchers.delete(address);
          resolve(answer);
        };
        const leave = (): void => finish({});
        const deliver = (found: Letter<Content>): void => finish(hand(found));
        const look = (): void => {
          if (over?.isIt()) finish({ over: true });
        };
        const cancel = clock.after(ms, () => {
          between.add(address);
          clock.after(AWAY_MS, () => between.delete(address));
          leave();
        });
        const unlisten = over?.listen(look);
        fetchers.set(address, deliver);
        waiting.add(leave);
        onClose(leave);
        look();
      });
    },
    isAt: (address) => fetchers.has(address) || between.has(address),
    taken(id, taken) {
      const letter = handed.get(id);
      letter?.done(taken);
      return letter !== undefined;
    },
    get hasRoom() {
      return waiting.size < maxFetchers;
    },
    close() {
      isClosed = true;
      for (const leave of waiting) leave();
    },
  };
}
