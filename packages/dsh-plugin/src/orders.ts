/** The calls by which dsh's page prompts a session and stops it (0.1.0-rc.8). */
import { randomUUID } from "node:crypto";
import { field } from "@moth-companion/core/fields";
import type { OrderDoor } from "@moth-companion/core/session-orders";
import type { ApiProxy } from "./dialogs.ts";

/**
 * Its own line is not used while a session works: what stands there when the turn is stopped is left behind until the next prompt.
 * @returns undefined where a later version has no such calls
 */
export function openOrderDoor({ sessions }: Partial<Pick<ApiProxy, "sessions">>): OrderDoor | undefined {
  if (typeof sessions?.prompt !== "function" || typeof sessions.cancel !== "function") return undefined;
  return {
    async prompt(sessionId, words) {
      const payload = { sessionId, mode: "queue", content: [{ type: "text", text: words }] };
      const given = await sessions.prompt({ rpcId: randomUUID(), payload });
      return isDone(given) ? undefined : "dsh did not take it. Type it in its page.";
    },
    async abort(sessionId) {
      const ended = await sessions.cancel({ rpcId: randomUUID(), payload: { sessionId } });
      return isDone(ended) ? undefined : "dsh did not end it. Stop it in its page.";
    },
  };
}

function isDone(answer: unknown): boolean {
  return field(field(answer, "result"), "ok") === true;
}
