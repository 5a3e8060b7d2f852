/** Hook events in the shape Claude Code gave them, which other harnesses have taken over: what is the same in all of them. */
import type { ReportOrigin, StateReport, Wait, WaitKind } from "@moth-companion/core/protocol";
import { shortHash } from "../short-hash.ts";
import type { Report } from "../types.ts";

export type Payload = Readonly<Record<string, unknown>>;

/** What a tool asks the person for, where that is not a permission; by the tool's name. */
export type Kinds = Readonly<Record<string, WaitKind>>;

export function state(body: StateReport): Report {
  return { to: "state", body };
}

/**
 * A Stop: the turn report, or the state when the turn ended without a word.
 * @param goesOn whether something of the session still works, after which the agent speaks again
 */
export function stopped(event: Payload, from: ReportOrigin, goesOn: boolean): Report {
  const next = goesOn ? "working" : "idle";
  const reply = text(event, "last_assistant_message");
  if (!reply?.trim()) return state({ ...from, state: next, ...(next === "idle" && { outcome: "done" }) });
  const turn = text(event, "prompt_id");
  return { to: "agent", body: { ...from, text: reply, outcome: "done", state: next, ...(turn && { turn }) } };
}

/** A StopFailure. Some `error` values say: not now, or not so much. */
export function failed(event: Payload, from: ReportOrigin): Report {
  return state({ ...from, state: "idle", outcome: LIMITS.has(text(event, "error") ?? "") ? "limit" : "failed" });
}

const LIMITS = new Set(["rate_limit", "billing_error", "max_output_tokens"]);

/** A PermissionRequest. */
export function opened(event: Payload, from: ReportOrigin, kinds: Kinds): Report {
  const tool = text(event, "tool_name");
  const kind = (tool !== undefined && Object.hasOwn(kinds, tool) && kinds[tool]) || "permission";
  const wait: Wait = { id: waitId(event, kinds), kind, ...(tool && { tool }), answerable: false };
  return state({ ...from, state: "waiting", wait });
}

/**
 * Names a wait so that the PostToolUse of the same call finds it: of what both events carry, the agent, the tool and its input.
 * A question's input comes back with the answers in it and a plan's comes back empty (Claude Code 2.1.332), so there the name must do.
 */
export function waitId(event: Payload, kinds: Kinds): string {
  const tool = text(event, "tool_name") ?? "";
  const input = Object.hasOwn(kinds, tool) ? "" : JSON.stringify(event["tool_input"] ?? null);
  return shortHash(`${text(event, "agent_id") ?? ""}\n${tool}\n${input}`);
}

/** Whether one of the background tasks that Stop names still runs, of those that count. */
export function runs(tasks: unknown, counts: (task: Payload) => boolean): boolean {
  return (
    Array.isArray(tasks) &&
    tasks.some((task: unknown) => {
      if (typeof task !== "object" || task === null) return false;
      const { status } = task as Payload;
      return (status === "running" || status === "pending") && counts(task as Payload);
    })
  );
}

/** A text field that is not empty; of another type it counts as missing. */
export function text(from: Payload, key: string): string | undefined {
  const value = from[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function object(value: unknown): Payload | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Payload) : undefined;
}
