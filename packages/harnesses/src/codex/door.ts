/**
 * How Codex is answered: by the socket of its background daemon (0.171.0), where its window's own dialog stays usable and whoever is first
 * wins. moth subscribes to a session only while it waits and answers are on, since a subscriber keeps a session alive; and it is silent
 * on every request the person has not answered, since any reply, an error too, counts as a refusal. Orders, and a plan, which only the
 * window asks about, have a conversation each.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Answer, OrderKind, Wait } from "@moth-companion/core/protocol";
import type { Door, DoorHost, Taken, WatchedSession } from "../types.ts";
import { type Asked, readAsked, readResolved, resultFor } from "./asked.ts";
import { listConfigDirs } from "./config-dirs.ts";
import { answerPlan, giveOrder } from "./order.ts";
import { planTurn, readWaitId } from "./payload.ts";
import { field, findRollout, planIn } from "./rollout.ts";
import { openWebSocket, type Talk } from "./web-socket.ts";

const LOOK_EVERY_MS = 150;
const TRY_EVERY_MS = 1000;
/** Folders of other profiles come with their `moth hook`. */
const FOLDERS_EVERY_MS = 10_000;
const TAKES: readonly OrderKind[] = ["prompt", "abort"];
/** How long Codex may take to say that a request is settled. */
const SETTLE_MS = 4000;

/** A request that waits for an answer, and the talk it came by. */
interface Open extends Asked {
  talk: Talk;
  /** The wait it was told of as, once it was. */
  wait?: string;
  settled: Set<() => void>;
}

/** A connection to one daemon. */
interface Line {
  talk: Talk;
  isReady: boolean;
  /** Threads moth is subscribed to. */
  threads: Set<string>;
}

export function startDoor(host: DoorHost): Door {
  const lines = new Map<string, Line>();
  const open = new Map<string, Open>();
  /** Plans that were told of. */
  const plans = new Set<string>();
  let folders = { list: [] as string[], read: Number.NEGATIVE_INFINITY };
  let tried = Number.NEGATIVE_INFINITY;
  let lastId = 1;

  function configDirs(): string[] {
    if (host.now() - folders.read >= FOLDERS_EVERY_MS) folders = { list: listConfigDirs(host.env), read: host.now() };
    return folders.list;
  }

  /** Where a daemon listens. */
  function sockets(): string[] {
    return configDirs()
      .map((folder) => join(folder, "app-server-control", "app-server-control.sock"))
      .filter((path) => existsSync(path));
  }

  function look(): void {
    const sessions = host.sessions();
    tellPlans(sessions.filter(({ wait }) => wait?.kind === "plan"));
    const waiting = sessions.filter(isAsking);
    if (waiting.length === 0 && lines.size === 0) return;
    if (waiting.length === 0 || !host.answersOn()) return hangUp();
    if (host.now() - tried >= TRY_EVERY_MS) {
      tried = host.now();
      for (const path of sockets()) if (!lines.has(path)) dial(path);
    }
    const wanted = new Set(waiting.map(threadOf));
    for (const line of lines.values()) if (line.isReady) subscribe(line, wanted);
    for (const asked of open.values()) tell(asked, waiting);
  }

  function dial(path: string): void {
    const clientInfo = { name: "moth", title: "moth", version: "1" };
    const capabilities = { experimentalApi: true, requestAttestation: false };
    const talk = openWebSocket(path, {
      opened: () => talk.send({ id: 1, method: "initialize", params: { clientInfo, capabilities } }),
      message(message) {
        if (field(message, "id") === 1 && field(message, "result") !== undefined) {
          talk.send({ method: "initialized" });
          line.isReady = true;
        }
        const asked = readAsked(message);
        if (asked) open.set(keyOf(asked), { ...asked, talk, settled: new Set() });
        const resolved = readResolved(message);
        if (resolved) settle(keyOf(resolved));
      },
      ended() {
        lines.delete(path);
        for (const [key, asked] of open) if (asked.talk === talk) open.delete(key);
      },
    });
    const line: Line = { talk, isReady: false, threads: new Set() };
    lines.set(path, line);
  }

  function subscribe({ talk, threads }: Line, wanted: ReadonlySet<string>): void {
    for (const threadId of wanted) {
      if (threads.has(threadId)) continue;
      threads.add(threadId);
      // The requests that wait are sent again at once. A thread of another daemon is refused, which harms nothing.
      talk.send({ id: ++lastId, method: "thread/resume", params: { threadId, excludeTurns: true } });
    }
    for (const threadId of threads) {
      if (wanted.has(threadId)) continue;
      threads.delete(threadId);
      talk.send({ id: ++lastId, method: "thread/unsubscribe", params: { threadId } });
    }
  }

  function hangUp(): void {
    for (const { talk, isReady, threads } of lines.values()) {
      if (isReady) subscribe({ talk, isReady, threads }, new Set());
      talk.close();
    }
  }

  /** Tells what is asked, once the hook has told of its wait. */
  function tell(asked: Open, waiting: readonly WatchedSession[]): void {
    if (asked.wait !== undefined) return;
    const session = waiting.find((one) => threadOf(one) === asked.thread && one.wait?.kind === asked.kind);
    if (!session?.wait || session.wait.answerable) return;
    // Not the wait that is about to end while the next request is there already.
    if (asked.call !== undefined && asked.call !== readWaitId(session.wait.id).call) return;
    asked.wait = session.wait.id;
    const { text, options, why } = asked;
    const told = why === undefined ? { text, ...(options && { options }), answerable: true } : { why };
    const wait: Wait = { ...session.wait, ...told };
    host.report({ session: session.session, seq: session.seq, state: "waiting", wait });
  }

  /** Tells what plans say, of sessions in a daemon. */
  function tellPlans(asking: readonly WatchedSession[]): void {
    const ids = new Set(asking.map(({ session, wait }) => `${session}\n${wait?.id}`));
    for (const told of plans) if (!ids.has(told)) plans.delete(told);
    if (asking.length === 0 || !host.answersOn()) return;
    for (const { session, seq, pid, wait } of asking) {
      const id = `${session}\n${wait?.id}`;
      if (!wait || plans.has(id) || pid !== undefined || sockets().length === 0) continue;
      plans.add(id);
      const record = configDirs()
        .map((folder) => findRollout(folder, session))
        .find((file) => file !== undefined);
      const text = record && planIn(record, planTurn(wait.id));
      if (text) host.report({ session, seq, state: "waiting", wait: { ...wait, text, answerable: true } });
    }
  }

  function settle(key: string): void {
    for (const done of open.get(key)?.settled ?? []) done();
    open.delete(key);
  }

  function hand(asked: Open, answer: Answer): Promise<Taken> {
    const result = resultFor(asked, answer);
    if (!result) return Promise.resolve({ taken: false, problem: "Codex takes no such answer here. Answer it in its window." });
    return new Promise((resolve) => {
      const late = setTimeout(
        () => resolve({ taken: false, problem: "Codex did not say that it has the answer. Look at its window." }),
        SETTLE_MS,
      );
      late.unref();
      asked.settled.add(() => {
        clearTimeout(late);
        resolve({ taken: true });
      });
      asked.talk.send({ id: asked.request, result });
    });
  }

  const timer = setInterval(() => {
    try {
      look();
    } catch {
      // A door that fails costs the answers, never the server.
    }
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    answer(session, wait, answer) {
      if (wait.kind === "plan") return answerPlan(sockets(), session, answer);
      const thread = threadOf({ session, wait });
      const asked = [...open.values()].find((one) => one.thread === thread && one.wait === wait.id);
      return asked ? hand(asked, answer) : Promise.resolve({ taken: false, problem: "Codex no longer asks this." });
    },
    takes(session) {
      const isInDaemon = host.sessions().some((one) => one.session === session && one.pid === undefined);
      return isInDaemon && sockets().length > 0 ? TAKES : [];
    },
    order: (session, order) => giveOrder(sockets(), session, order),
    stop() {
      clearInterval(timer);
      hangUp();
    },
  };
}

/** A plan is no request of Codex's: it is its window alone that asks. */
function isAsking({ state, wait }: WatchedSession): boolean {
  return state === "waiting" && wait !== undefined && wait.kind !== "plan";
}

/** The thread that asks: the session itself, or its subagent. */
function threadOf({ session, wait }: { session: string; wait?: Wait }): string {
  return (wait && readWaitId(wait.id).agent) ?? session;
}

function keyOf({ thread, request }: { thread: string; request: string | number }): string {
  return `${thread}\n${request}`;
}
