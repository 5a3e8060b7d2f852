/**
 * What Codex's background daemon tells everyone who is connected, without being asked (0.171.0): the status of each of its sessions.
 * moth says hello and listens. It subscribes to nothing, which would keep sessions alive, and answers nothing: an answer of any kind to
 * a request for a permission counts as one.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { StateReport } from "@moth-companion/core/protocol";
import type { WatchedSession, WatchHost } from "../types.ts";
import { readWaitId } from "./payload.ts";
import { field } from "./rollout.ts";
import { openWebSocket, type Talk } from "./web-socket.ts";

const TRY_EVERY_MS = 2000;

/** A status as it comes in: `active` with what it waits for, `idle`, `systemError`, `notLoaded`. */
export interface Heard {
  thread: string;
  status: string;
  waits: boolean;
}

/** Listens as long as there are sessions, and where a daemon runs. */
export function watchDaemons(host: WatchHost, configDirs: () => readonly string[]): { look(): void; stop(): void } {
  const talks = new Map<string, Talk>();
  /** Threads of each daemon that was reached. */
  const held = new Map<string, Set<string>>();
  /** Threads that waited when they were last heard of. */
  const waiting = new Set<string>();
  let tried = Number.NEGATIVE_INFINITY;

  /** A daemon that is no more has taken its sessions with it: they have no process of their own. */
  function lost(path: string): void {
    const threads = held.get(path);
    held.delete(path);
    for (const { session, pid } of host.sessions()) {
      if (pid === undefined && threads?.has(session)) host.report({ session, seq: host.now(), state: "gone" });
    }
  }

  function listen(path: string): void {
    let isOpen = false;
    const clientInfo = { name: "moth", title: "moth", version: "1" };
    const talk = openWebSocket(path, {
      opened() {
        isOpen = true;
        talk.send({ id: 1, method: "initialize", params: { clientInfo, capabilities: null } });
      },
      message(message) {
        if (field(message, "id") === 1 && field(message, "result") !== undefined) {
          talk.send({ method: "initialized" });
          talk.send({ id: 2, method: "thread/loaded/list", params: {} });
        }
        for (const thread of threadsIn(message)) held.set(path, (held.get(path) ?? new Set()).add(thread));
        const heard = readStatus(message);
        if (!heard) return;
        const report = conclude(heard, waiting.has(heard.thread), host.sessions(), host.now());
        if (heard.waits) waiting.add(heard.thread);
        else waiting.delete(heard.thread);
        if (report) host.report(report);
      },
      ended() {
        talks.delete(path);
        if (!isOpen) lost(path);
      },
    });
    talks.set(path, talk);
  }

  return {
    look() {
      if (host.sessions().length === 0) {
        for (const talk of talks.values()) talk.close();
        return;
      }
      if (host.now() - tried < TRY_EVERY_MS) return;
      tried = host.now();
      for (const folder of configDirs()) {
        const path = join(folder, "app-server-control", "app-server-control.sock");
        if (talks.has(path)) continue;
        if (existsSync(path)) listen(path);
        else lost(path);
      }
    },
    stop() {
      for (const talk of talks.values()) talk.close();
    },
  };
}

/** Threads that a message shows to live in this daemon. */
function threadsIn(message: unknown): string[] {
  const loaded = field(message, "id") === 2 ? field(field(message, "result"), "data") : undefined;
  if (Array.isArray(loaded)) return loaded.filter((id) => typeof id === "string");
  const heard = readStatus(message);
  return heard && heard.status !== "notLoaded" ? [heard.thread] : [];
}

/** What a message says of a thread; undefined for every other message. */
export function readStatus(message: unknown): Heard | undefined {
  // With an id it is a request, and none of moth's business.
  if (field(message, "id") !== undefined) return undefined;
  const method = field(message, "method");
  const params = field(message, "params");
  const thread = field(params, "threadId");
  if (typeof thread !== "string") return undefined;
  if (method === "thread/closed") return { thread, status: "notLoaded", waits: false };
  if (method !== "thread/status/changed") return undefined;
  const status = field(field(params, "status"), "type");
  const flags = field(field(params, "status"), "activeFlags");
  return typeof status === "string" ? { thread, status, waits: Array.isArray(flags) && flags.length > 0 } : undefined;
}

/** @param waited whether the thread waited before */
export function conclude(
  { thread, status, waits }: Heard,
  waited: boolean,
  sessions: readonly WatchedSession[],
  now: number,
): Omit<StateReport, "source"> | undefined {
  if (status === "active" && waited && !waits) {
    const asker = sessions.find(({ session, wait }) => wait && (readWaitId(wait.id).agent ?? session) === thread);
    return asker?.wait && { session: asker.session, seq: now, state: "working", ended: asker.wait.id };
  }
  const session = sessions.find((one) => one.session === thread);
  if (!session) return undefined;
  if (status === "notLoaded") return { session: thread, seq: now, state: "gone" };
  const failed = status === "systemError" && session.state !== "idle";
  return failed ? { session: thread, seq: now, state: "idle", outcome: "failed" } : undefined;
}
