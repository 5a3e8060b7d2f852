/** Answers on their way to adapters that fetch them: the plugins and hooks that stand at their harness's door themselves. */
import type { Answer, FetchedAnswer, Wait } from "@moth-companion/core/protocol";
import type { Door, Taken } from "@moth-companion/harnesses";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { Sessions } from "./sessions.ts";

/** Fetchers that wait at once. */
const MAX_FETCHERS = 256;
/** An adapter asks again at once after each fetch, so one that is there is not away for longer. */
const AWAY_MS = 1500;
/** Nobody waits any longer to hear what became of an answer. */
const FORGOTTEN_MS = 10_000;

/** Which wait an adapter fetches the answer to. */
interface Fetching {
  source: string;
  session: string;
  wait: string;
}

export interface Mailbox {
  /** A door that hands answers to whoever fetches for the wait. */
  doorOf(source: string): Door;
  /** Resolves with the answer as soon as there is one, or that the wait is over; at the latest after `ms`, with neither. */
  fetch(of: Fetching, ms: number, onClose: (fn: () => void) => void): Promise<FetchedAnswer>;
  /** What became of an answer that was fetched. Returns false when nobody waits to hear it. */
  taken(id: string, taken: Taken): boolean;
  readonly hasRoom: boolean;
  /** Ends every fetch, now and from now on. */
  close(): void;
}

interface Letter extends Answer {
  id: string;
  key: string;
  done: (taken: Taken) => void;
}

export function createMailbox({ clock, log, sessions }: { clock: Clock; log: Log; sessions: Sessions }): Mailbox {
  /** Those who wait for a letter. */
  const fetchers = new Map<string, (letter: Letter) => void>();
  /** Letters not fetched yet, one for each wait. */
  const lying = new Map<string, Letter>();
  const handed = new Map<string, Letter>();
  const waiting = new Set<() => void>();
  let lastId = 0;
  let isClosed = false;

  function hand(letter: Letter): FetchedAnswer {
    lying.delete(letter.key);
    handed.set(letter.id, letter);
    clock.after(FORGOTTEN_MS, () => handed.delete(letter.id));
    const { id, choice, text } = letter;
    return { id, ...(choice !== undefined && { choice }), ...(text !== undefined && { text }) };
  }

  function send(source: string, session: string, wait: Wait, answer: Answer): Promise<Taken> {
    return new Promise((resolve) => {
      const key = keyOf({ source, session, wait: wait.id });
      const id = `${log.epoch}-${++lastId}`;
      const letter: Letter = {
        ...answer,
        id,
        key,
        done: (taken) => {
          cancel();
          lying.delete(key);
          handed.delete(id);
          resolve(taken);
        },
      };
      const cancel = clock.after(AWAY_MS, () => {
        // One that was fetched may still be told of: whoever asked gives up by itself.
        if (lying.get(key) === letter)
          letter.done({ taken: false, problem: "Nobody is at its door any more. Answer it in its own window." });
      });
      lying.set(key, letter);
      fetchers.get(key)?.(letter);
    });
  }

  return {
    doorOf: (source) => ({ answer: (session, wait, answer) => send(source, session, wait, answer), stop: () => undefined }),
    fetch(of, ms, onClose) {
      const key = keyOf(of);
      const letter = lying.get(key);
      if (letter) return Promise.resolve(hand(letter));
      if (isClosed) return Promise.resolve({});
      return new Promise((resolve) => {
        let wasOpen = false;
        const finish = (answer: FetchedAnswer): void => {
          cancel();
          unlisten();
          waiting.delete(leave);
          if (fetchers.get(key) === deliver) fetchers.delete(key);
          resolve(answer);
        };
        const leave = (): void => finish({});
        const deliver = (found: Letter): void => finish(hand(found));
        // The report that tells of the wait may come after this.
        const look = (): void => {
          const isOpen = sessions.waits(of.source, of.session)?.some(({ id }) => id === of.wait) ?? false;
          if (wasOpen && !isOpen) finish({ over: true });
          wasOpen ||= isOpen;
        };
        const cancel = clock.after(ms, leave);
        const unlisten = log.listen(look);
        fetchers.set(key, deliver);
        waiting.add(leave);
        onClose(leave);
        look();
      });
    },
    taken(id, taken) {
      const letter = handed.get(id);
      letter?.done(taken);
      return letter !== undefined;
    },
    get hasRoom() {
      return waiting.size < MAX_FETCHERS;
    },
    close() {
      isClosed = true;
      for (const leave of waiting) leave();
    },
  };
}

/** Clean ids hold no line break. */
function keyOf({ source, session, wait }: Fetching): string {
  return `${source}\n${session}\n${wait}`;
}
