/**
 * What Claude Code's hook events become. Payloads as seen on 2.1.332; `docs/harness/claude-code.md` tells why each becomes what.
 */
import { sessionLabel } from "@moth-companion/core/label";
import type { ReportOrigin, StateReport, Wait, WaitKind } from "@moth-companion/core/protocol";
import { shortHash } from "../short-hash.ts";
import type { HookContext, Report } from "../types.ts";

export const SOURCE: "claude-code" = "claude-code" as const;

/** The events moth hooks. `async`: the harness does not wait for the hook. `args`: what the hook is told beside the harness. */
export const EVENTS: readonly { name: string; async?: true; args?: readonly string[] }[] = [
  { name: "SessionStart" },
  { name: "UserPromptSubmit" },
  { name: "PermissionRequest" },
  // Fires after every tool, and only closes waits: nobody waits for it.
  { name: "PostToolUse", async: true, args: ["if-waiting"] },
  { name: "Stop" },
  { name: "StopFailure" },
  { name: "SessionEnd" },
];

type Payload = Readonly<Record<string, unknown>>;

/** Reads one event. Everything in it is a stranger's: a field of a wrong type counts as missing. */
export function readPayload(payload: unknown, context: HookContext): Report[] {
  if (typeof payload !== "object" || payload === null) return [];
  const event = payload as Payload;
  // Cursor runs Claude Code's hooks too, with its own sessions: those are not Claude Code's.
  if ("cursor_version" in event) return [];
  const session = text(event, "session_id");
  if (!session) return [];
  const report = readEvent(event, origin(event, session, context), context);
  return report ? [report] : [];
}

function origin(event: Payload, session: string, { env, seq }: HookContext): ReportOrigin {
  const pid = Number(env["CLAUDE_PID"]);
  return {
    source: SOURCE,
    session,
    label: sessionLabel(text(event, "cwd"), session),
    seq,
    ...(Number.isInteger(pid) && pid > 0 && { pid }),
  };
}

function readEvent(event: Payload, from: ReportOrigin, { env }: HookContext): Report | undefined {
  const name = text(event, "hook_event_name");
  const subagent = text(event, "agent_id") !== undefined;
  switch (name) {
    case "PermissionRequest":
      // `claude -p` refuses by itself: nobody is asked.
      return env["CLAUDE_CODE_ENTRYPOINT"] === "sdk-cli" ? undefined : opened(event, from);
    case "PostToolUse":
      return state({ ...from, state: "working", ended: waitId(event) });
  }
  // A subagent's dialogs are the session's; its turns are not.
  if (subagent) return undefined;
  switch (name) {
    case "SessionStart":
      // After a compaction the turn may go on.
      return text(event, "source") === "compact" ? undefined : state({ ...from, state: "idle" });
    case "UserPromptSubmit":
      return state({ ...from, state: "working" });
    case "Stop":
      return stopped(event, from);
    case "StopFailure":
      return state({ ...from, state: "idle", outcome: LIMITS.has(text(event, "error") ?? "") ? "limit" : "failed" });
    case "SessionEnd":
      return state({ ...from, state: "gone" });
    default:
      return undefined;
  }
}

function state(body: StateReport): Report {
  return { to: "state", body };
}

function stopped(event: Payload, from: ReportOrigin): Report {
  const next = worksOn(event["background_tasks"]) ? "working" : "idle";
  const reply = text(event, "last_assistant_message");
  if (!reply?.trim()) return state({ ...from, state: next, ...(next === "idle" && { outcome: "done" }) });
  const turn = text(event, "prompt_id");
  return { to: "agent", body: { ...from, text: reply, outcome: "done", state: next, ...(turn && { turn }) } };
}

/** Tasks that end by themselves, after which the agent speaks again. A shell (a dev server) or a monitor may run for days. */
const OWN_WORK = new Set(["subagent", "workflow"]);

function worksOn(tasks: unknown): boolean {
  return (
    Array.isArray(tasks) &&
    tasks.some((task: unknown) => {
      if (typeof task !== "object" || task === null) return false;
      const { type, status } = task as Payload;
      return typeof type === "string" && OWN_WORK.has(type) && (status === "running" || status === "pending");
    })
  );
}

/** `error` values of StopFailure (2.1.332) that say: not now, or not so much. */
const LIMITS = new Set(["rate_limit", "billing_error", "max_output_tokens"]);

const KINDS: Readonly<Record<string, WaitKind>> = { AskUserQuestion: "question", ExitPlanMode: "plan" };

function opened(event: Payload, from: ReportOrigin): Report {
  const tool = text(event, "tool_name");
  const kind = (tool !== undefined && Object.hasOwn(KINDS, tool) && KINDS[tool]) || "permission";
  const wait: Wait = { id: waitId(event), kind, ...(tool && { tool }), answerable: false };
  return state({ ...from, state: "waiting", wait });
}

/**
 * Names a wait so that the PostToolUse of the same call finds it: of what both events carry, the agent, the tool and its input.
 * A question's input comes back with the answers in it and a plan's comes back empty (2.1.332), so there the name must do.
 */
function waitId(event: Payload): string {
  const tool = text(event, "tool_name") ?? "";
  const input = Object.hasOwn(KINDS, tool) ? "" : JSON.stringify(event["tool_input"] ?? null);
  return shortHash(`${text(event, "agent_id") ?? ""}\n${tool}\n${input}`);
}

function text(from: Payload, key: string): string | undefined {
  const value = from[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}
