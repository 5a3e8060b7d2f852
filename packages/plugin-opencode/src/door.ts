/** The calls that the harness's own window answers its dialogs by, from inside its process: no port is open for them. */
import { field, list, text } from "@moth-companion/core/fields";
import type { OrderDoor } from "@moth-companion/core/session-orders";

export interface Door extends OrderDoor {
  /** What a tool is called with; undefined where the harness does not tell, or `over` is aborted. */
  inputOf(session: string, tool: unknown, over: AbortSignal): Promise<unknown>;
  /** Answers a dialog. @returns why the harness did not take it, for the person */
  reply(kind: "permission" | "question", id: string, body: object): Promise<string | undefined>;
}

/** A tool may ask before the harness has written down what it is called with (seen). Milliseconds until it is looked up again, each time. */
const AGAIN_MS = [50, 100, 200, 400, 800, 1600, 3200];

type Call = (request: object) => Promise<unknown>;

/**
 * @param client the harness's client for plugins. It has no method of its own for a question, and none for the words of a denial (1.18.33).
 * @returns undefined where the client is another one
 */
export function openDoor(client: unknown): Door | undefined {
  const calls = field(client, "_client");
  const sessions = field(client, "session");
  if (typeof field(calls, "post") !== "function" || typeof field(sessions, "message") !== "function") return undefined;
  const call = async (method: string, request: object): Promise<unknown> => {
    const found = field(sessions, method);
    return typeof found === "function" ? await (found as Call).call(sessions, request).catch(() => undefined) : undefined;
  };
  /** The agent and model of the last prompt; without them the harness would take its own first ones, and leave a mode that only plans. */
  const lastUsed = async (session: string): Promise<object> => {
    const found = await call("messages", { path: { id: session }, query: { limit: 50 } });
    const infos = list(field(found, "data")).map((one) => field(one, "info"));
    const last = infos.findLast((info) => text(info, "role") === "user");
    const [agent, model] = [text(last, "agent"), field(last, "model")];
    const [providerID, modelID] = [text(model, "providerID"), text(model, "modelID")];
    const variant = text(model, "variant") ?? text(last, "variant");
    return {
      ...(agent !== undefined && { agent }),
      ...(providerID !== undefined && modelID !== undefined && { model: { providerID, modelID } }),
      ...(variant !== undefined && { variant }),
    };
  };
  return {
    async inputOf(session, tool, over) {
      const [messageID, callID] = [text(tool, "messageID"), text(tool, "callID")];
      if (messageID === undefined || callID === undefined) return undefined;
      for (const ms of [...AGAIN_MS, 0]) {
        // oxlint-disable-next-line no-await-in-loop -- each look follows the last
        const found = await (sessions as { message: Call }).message({ path: { id: session, messageID } }).catch(() => undefined);
        const part = list(field(field(found, "data"), "parts")).find((one) => text(one, "callID") === callID);
        const state = field(part, "state");
        // Pending, it is empty.
        if (text(state, "status") === "running") return field(state, "input");
        // oxlint-disable-next-line no-await-in-loop -- as above
        if (ms > 0) await new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());
        if (over.aborted) return undefined;
      }
      return undefined;
    },
    async prompt(session, words) {
      const body = { ...(await lastUsed(session)), parts: [{ type: "text", text: words }] };
      const given = await call("promptAsync", { path: { id: session }, body });
      return field(field(given, "response"), "ok") === true ? undefined : "It was not taken. Type it in its window.";
    },
    async abort(session) {
      const ended = await call("abort", { path: { id: session } });
      return field(ended, "data") === true ? undefined : "It was not ended. Press Escape in its window.";
    },
    async reply(kind, requestID, body) {
      const url = `/${kind}/{requestID}/reply`;
      const headers = { "content-type": "application/json" };
      const answer = await (calls as { post: Call }).post({ url, path: { requestID }, body, headers }).catch(() => undefined);
      if (field(answer, "data") === true) return undefined;
      return field(field(answer, "response"), "status") === 404
        ? "It was answered in its window."
        : "It was not taken. Answer it in its window.";
    },
  };
}
