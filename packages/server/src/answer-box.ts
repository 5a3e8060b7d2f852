/** The door of a harness whose adapter fetches the person's answers. */
import type { Answer, FetchedAnswer, Wait } from "@moth-companion/core/protocol";
import type { Door, Taken } from "@moth-companion/harnesses";
import { createMailbox, type Fetching, type Mailbox } from "./mailbox.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { Sessions } from "./sessions.ts";

/** Adapters that wait at once. */
const MAX_FETCHERS = 256;
/**
 * How long the answer is fetched to a wait that this moth has not been told whole: its report is on the way, or went to no moth, or to one
 * before. Who gets nothing before its time tells it anew.
 */
const UNTOLD_MS = 3000;

/** Which wait an adapter fetches the answer to. */
interface Of {
  source: string;
  session: string;
  wait: string;
}

export interface AnswerBox extends Pick<Mailbox<Answer>, "taken" | "hasRoom" | "close"> {
  /** @param own the harness's door in the server, for what no adapter fetches the answer to */
  doorOf(source: string, own?: Pick<Door, "answer">): Pick<Door, "answer">;
  fetch(of: Of, fetching: Omit<Fetching, "over">): Promise<FetchedAnswer>;
}

export function createAnswerBox({ clock, log, sessions }: { clock: Clock; log: Log; sessions: Sessions }): AnswerBox {
  const box = createMailbox<Answer>({ name: "a", clock, log, maxFetchers: MAX_FETCHERS });
  const send = (source: string, session: string, wait: Wait, { choice, text }: Answer): Promise<Taken> =>
    box.send(address({ source, session, wait: wait.id }), {
      ...(choice !== undefined && { choice }),
      ...(text !== undefined && { text }),
    });
  return {
    doorOf: (source, own) => ({
      answer: (session, wait, answer) =>
        own && !box.isAt(address({ source, session, wait: wait.id }))
          ? own.answer(session, wait, answer)
          : send(source, session, wait, answer),
    }),
    fetch(of, fetching) {
      // It may have ended while the question for its answer was on the way.
      let wasOpen = sessions.hasEnded(of.source, of.session, of.wait);
      // The report that tells of the wait may come after this.
      const isIt = (): boolean => {
        const isOpen = sessions.waits(of.source, of.session)?.some(({ id }) => id === of.wait) ?? false;
        const isOver = wasOpen && !isOpen;
        wasOpen ||= isOpen;
        return isOver;
      };
      const told = sessions.waits(of.source, of.session)?.find(({ id }) => id === of.wait);
      const ms = told?.answerable || told?.why !== undefined ? fetching.ms : Math.min(fetching.ms, UNTOLD_MS);
      return box.fetch(address(of), { ...fetching, ms, over: { isIt, listen: sessions.onWaits } });
    },
    taken: box.taken,
    get hasRoom() {
      return box.hasRoom;
    },
    close: box.close,
  };
}

/** Clean ids hold no line break. */
function address({ source, session, wait }: Of): string {
  return [source, session, wait].join("\n");
}
