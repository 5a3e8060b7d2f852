/** One conversation with Codex's background daemon (0.171.0): hello, what is to be done, goodbye. */
import { field } from "./rollout.ts";
import { openWebSocket } from "./web-socket.ts";

/** Whoever has asked moth waits for five seconds. */
const LIMIT_MS = 4000;

/** Sends a request; resolves with its result. @throws DaemonRefusal */
export type DaemonAsk = (method: string, params: object) => Promise<unknown>;

/** A request that the daemon refuses, in its own words. */
export class DaemonRefusal extends Error {}

/**
 * Hangs up when the work is done. What the daemon itself asks meanwhile stays unanswered: any answer would count as the person's.
 * @param path of its socket
 * @throws DaemonRefusal when a request is refused; Error when it is not there or does not answer in time
 */
export function withDaemon<T>(path: string, work: (ask: DaemonAsk) => Promise<T>): Promise<T> {
  const open = new Map<number, (message: unknown) => void>();
  let lastId = 0;
  return new Promise<T>((resolve, reject) => {
    const ask: DaemonAsk = (method, params) =>
      new Promise((done, refuse) => {
        const id = ++lastId;
        open.set(id, (message) => {
          const result = field(message, "result");
          if (result !== undefined) done(result);
          else refuse(new DaemonRefusal(String(field(field(message, "error"), "message"))));
        });
        talk.send({ id, method, params });
      });
    const meet = async (): Promise<T> => {
      const clientInfo = { name: "moth", title: "moth", version: "1" };
      await ask("initialize", { clientInfo, capabilities: { experimentalApi: true, requestAttestation: false } });
      talk.send({ method: "initialized" });
      return await work(ask);
    };
    const timer = setTimeout(() => talk.close(), LIMIT_MS);
    timer.unref();
    const talk = openWebSocket(path, {
      opened: () =>
        void meet()
          .then(resolve, reject)
          .finally(() => talk.close()),
      message(message) {
        // Its own requests have an id, too.
        if (field(message, "method") === undefined) open.get(Number(field(message, "id")))?.(message);
      },
      ended() {
        clearTimeout(timer);
        reject(new Error("Codex's daemon hung up."));
      },
    });
  });
}
