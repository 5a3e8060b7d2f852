/**
 * How a session in Codex's daemon is sent a message, has its turn ended, or its plan answered (0.171.0). A message waits its turn in
 * Codex's own queue, for `turn/start` and `turn/steer` would cut the reply that runs.
 */
import { randomUUID } from "node:crypto";
import type { Answer, Order } from "@moth-companion/core/protocol";
import type { Taken } from "../types.ts";
import { type DaemonAsk, DaemonRefusal, withDaemon } from "./daemon-call.ts";
import { field, lastEffort } from "./rollout.ts";

/** What Codex's own window sends for its "Yes, implement this plan". */
const IMPLEMENT = "Implement the plan.";

/** @param sockets of the daemons that may hold the session; @returns within 4 s, never throws */
export function giveOrder(sockets: readonly string[], threadId: string, { do: what, text = "" }: Order): Promise<Taken> {
  return inItsDaemon(sockets, threadId, async (ask) => {
    if (what === "abort") {
      await ask("turn/interrupt", { threadId, turnId: "" });
      await start(ask, threadId, await queued(ask, threadId));
      return { taken: true };
    }
    const thread = field(await ask("thread/read", { threadId }), "thread");
    const before = await queued(ask, threadId);
    const added = await ask("thread/queue/add", { threadId, input: [words(text)], clientUserMessageId: randomUUID() });
    const own = field(field(added, "queuedSubmission"), "id");
    if (field(field(thread, "status"), "type") !== "active") await start(ask, threadId, before ?? own);
    return { taken: true };
  });
}

/** What is next in a session's queue. */
async function queued(ask: DaemonAsk, threadId: string): Promise<unknown> {
  const waiting = field(await ask("thread/queue/list", { threadId }), "data");
  return Array.isArray(waiting) ? field(waiting[0], "id") : undefined;
}

/** After a turn that was interrupted the queue stands still until something is started. What has begun by itself is refused. */
async function start(ask: DaemonAsk, threadId: string, queuedSubmissionId: unknown): Promise<void> {
  if (typeof queuedSubmissionId === "string") await ask("thread/queue/start", { threadId, queuedSubmissionId }).catch(() => {});
}

/** Answers a plan as the window would: its mode and nothing else changes, what may run without asking stays as it was. */
export function answerPlan(sockets: readonly string[], threadId: string, { choice, text }: Answer): Promise<Taken> {
  const no = problemWith(choice, text);
  if (no !== undefined) return Promise.resolve(not(no));
  return inItsDaemon(sockets, threadId, async (ask) => {
    const thread = await ask("thread/resume", { threadId, excludeTurns: true });
    try {
      const mode = field(thread, "collaborationMode");
      const status = field(field(field(thread, "thread"), "status"), "type");
      if (status !== "idle" || field(mode, "mode") !== "plan") return not("Codex no longer asks this.");
      if (choice === "reject") await ask("turn/start", { threadId, input: [words(text ?? "")] });
      else {
        const settings = {
          model: field(thread, "model"),
          ...(await effortOutsidePlans(ask, thread)),
          developer_instructions: null,
        };
        await ask("turn/start", { threadId, input: [words(IMPLEMENT)], collaborationMode: { mode: "default", settings } });
      }
      return { taken: true };
    } finally {
      // A subscriber keeps a session alive.
      await ask("thread/unsubscribe", { threadId }).catch(() => {});
    }
  });
}

/** The window goes back to what the session worked with before it planned: to plan has an effort of its own, which none would keep. */
async function effortOutsidePlans(ask: DaemonAsk, thread: unknown): Promise<{ reasoning_effort: unknown }> {
  const record = field(field(thread, "thread"), "path");
  const before = typeof record === "string" ? lastEffort(record) : undefined;
  if (before !== undefined) return { reasoning_effort: before };
  const config = field(await ask("config/read", { cwd: field(thread, "cwd") }), "config");
  return { reasoning_effort: field(config, "model_reasoning_effort") ?? null };
}

function problemWith(choice: string | undefined, text: string | undefined): string | undefined {
  if (choice === "approve")
    return text === undefined ? undefined : "Codex takes no words with an approval. Reject the plan with them.";
  if (choice !== "reject") return "Codex takes no such answer here. Answer it in its window.";
  return text === undefined
    ? "Codex takes a no with the words that say what should be different. Or press Escape in its window."
    : undefined;
}

async function inItsDaemon(sockets: readonly string[], thread: string, work: (ask: DaemonAsk) => Promise<Taken>): Promise<Taken> {
  for (const path of sockets) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- nearly always there is one
      const taken = await withDaemon(path, async (ask) => {
        // Of a thread that is not loaded a daemon would make a second life.
        const loaded = field(await ask("thread/loaded/list", {}), "data");
        return Array.isArray(loaded) && loaded.includes(thread) ? await work(ask) : undefined;
      });
      if (taken) return taken;
    } catch (error) {
      if (error instanceof DaemonRefusal) return not(`Codex did not take it: ${error.message}`);
    }
  }
  return not("It does not live in Codex's background daemon, or that does not answer. Go to its window.");
}

function words(text: string): object {
  return { type: "text", text, text_elements: [] };
}

function not(problem: string): Taken {
  return { taken: false, problem };
}
