/**
 * The person's answers to what the session asks, from moth to Copilot. That it waits is told by moth's hooks and by Copilot's own record; this
 * adds what is asked, under the same ids. Only while answers are on.
 */
import { awaitAnswer } from "@moth-companion/core/answers";
import { answersOn } from "@moth-companion/core/config";
import { field, text } from "@moth-companion/core/fields";
import { createOutbox } from "@moth-companion/core/outbox";
import type { Env } from "@moth-companion/core/paths";
import { type Asks, readPermission, readPlan, readQuestion } from "./asks.ts";
import type { Heard, Session } from "./session.ts";

export const SOURCE: "copilot" = "copilot" as const;
/** moth shows no more of a text; what is not seen whole is not answered. */
const MAX_TEXT = 4000;
/** Calls of tools remembered at most: one that is never over must not be kept for good. */
const MAX_TOOLS = 256;

interface Asked {
  /** Copilot's name of the dialog. */
  request: string;
  /** moth's name of the wait, as its hooks and the record tell it. */
  wait: string;
  asks: Asks;
  tool: string | undefined;
}

export function answerThroughMoth(session: Session, env: Env = process.env): void {
  const reports = createOutbox({ env });
  /** Tools that run, by the id of their call. */
  const tools = new Map<string, string>();
  /** Dialogs that are open, and how their waiting is ended. */
  const open = new Map<string, AbortController>();

  async function answer({ request, wait: id, asks, tool }: Asked): Promise<void> {
    const { kind, text: told, options, give, why } = asks;
    const answerable = give !== undefined && told.length <= MAX_TEXT;
    const wait = { id, kind, ...(tool && { tool }), text: told, ...(options && { options }), ...(why && { why }), answerable };
    const tell = (): void => reports.state({ source: SOURCE, session: session.id, state: "waiting", wait });
    tell();
    if (!answerable) return;
    const over = new AbortController();
    open.set(request, over);
    for (;;) {
      const asked = { source: SOURCE, session: session.id, wait: id };
      const arrived = await awaitAnswer(asked, { env, signal: over.signal, again: tell });
      if (!arrived) return;
      const given = give(arrived);
      const problem = "problem" in given ? given.problem : await hand(kind, { requestId: request, ...given.value });
      if (problem === undefined) return arrived.taken();
      arrived.refused(problem);
    }
  }

  /** @returns why Copilot did not take it */
  async function hand(kind: Asks["kind"], request: object): Promise<string | undefined> {
    try {
      return (await session.answer(kind, request)) ? undefined : "It was answered in its window.";
    } catch {
      return "Copilot did not take it. Answer it in its window.";
    }
  }

  function asked({ type, data, isAgents }: Heard): Asked | undefined {
    const request = text(data, "requestId");
    const call = text(data, "toolCallId");
    if (request === undefined) return undefined;
    switch (type) {
      case "permission.requested": {
        const of = field(data, "permissionRequest");
        const asks = readPermission(data, isAgents);
        const tool = tools.get(text(of, "toolCallId") ?? "") ?? text(of, "shellType");
        return asks && { request, wait: request, asks, tool };
      }
      case "elicitation.requested":
        // What a server of tools asks is known to nobody by a name.
        return call !== undefined && tools.get(call) === "ask_user"
          ? { request, wait: call, asks: readQuestion(data), tool: "ask_user" }
          : undefined;
      case "exit_plan_mode.requested":
        return call === undefined ? undefined : { request, wait: call, asks: readPlan(data), tool: "exit_plan_mode" };
      default:
        return undefined;
    }
  }

  function started(data: unknown): void {
    const oldest = tools.keys().next().value;
    if (tools.size >= MAX_TOOLS && oldest !== undefined) tools.delete(oldest);
    tools.set(text(data, "toolCallId") ?? "", text(data, "toolName") ?? "");
  }

  session.listen((heard) => {
    const { type, data } = heard;
    if (type === "tool.execution_start") started(data);
    else if (type === "tool.execution_complete") tools.delete(text(data, "toolCallId") ?? "");
    else if (type.endsWith(".completed")) {
      const request = text(data, "requestId") ?? "";
      open.get(request)?.abort();
      open.delete(request);
    } else if (type.endsWith(".requested") && answersOn(env)) {
      const found = asked(heard);
      if (found) answer(found).catch(() => {});
    }
  });
}
