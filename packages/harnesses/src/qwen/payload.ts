/** What Qwen Code's hook events become. Payloads as seen on 0.24.4; `docs/harness/qwen.md` tells why each becomes what. */
import { placeOf } from "@moth-companion/core/label";
import type { ReportOrigin } from "@moth-companion/core/protocol";
import { failed, type Kinds, object, opened, type Payload, runs, state, stopped, text, waitId } from "../claude-shaped/events.ts";
import { held } from "../claude-shaped/held.ts";
import type { HookContext, Report } from "../types.ts";
import { readStanding } from "./transcript.ts";

export const SOURCE: "qwen" = "qwen" as const;

/**
 * The events moth hooks. `args`: what the hook is told beside the harness. `matcher`: only for these. `holds`: its hook can stand in for the
 * dialog.
 */
export const EVENTS: readonly { name: string; async?: true; args?: readonly string[]; matcher?: string; holds?: true }[] = [
  { name: "SessionStart" },
  { name: "UserPromptSubmit" },
  { name: "PermissionRequest", holds: true },
  // Fire after every tool, and only close waits: nobody waits for them.
  { name: "PostToolUse", async: true, args: ["if-waiting"] },
  { name: "PostToolUseFailure", async: true, args: ["if-waiting"] },
  { name: "Notification", matcher: "idle_prompt" },
  { name: "Stop" },
  { name: "StopFailure" },
  { name: "SessionEnd" },
];

/** Reads one event. Everything in it is a stranger's: a field of a wrong type counts as missing. */
export async function readPayload(payload: unknown, context: HookContext): Promise<Report[]> {
  if (typeof payload !== "object" || payload === null) return [];
  const event = payload as Payload;
  const session = text(event, "session_id");
  if (!session) return [];
  const from = {
    source: SOURCE,
    session,
    ...placeOf(text(event, "cwd"), session),
    seq: context.seq,
    // This hook outlives Qwen Code: a helper program starts it.
    ...(context.caller !== undefined && text(event, "hook_event_name") !== "StopFailure" && { pid: context.caller }),
  };
  const report = await readEvent(event, from, context);
  if (!report) return [];
  return [
    context.answers && context.caller !== undefined
      ? held("Qwen Code", report, inForeground(event), ["command", "description"])
      : report,
  ];
}

async function readEvent(event: Payload, from: ReportOrigin, context: HookContext): Promise<Report | undefined> {
  // A subagent's turns are not the session's; and it works in the background, where it is refused without asking anybody.
  if (text(event, "agent_id") !== undefined) return undefined;
  switch (text(event, "hook_event_name")) {
    case "SessionStart":
      // After a compaction the turn may go on.
      return text(event, "source") === "compact" ? undefined : state({ ...from, state: "idle" });
    case "UserPromptSubmit":
      // It comes with each tool's result, too, without a prompt.
      return text(event, "prompt") === undefined ? undefined : state({ ...from, state: "working" });
    case "PermissionRequest":
      return opened(event, from, KINDS);
    case "PostToolUse":
    case "PostToolUseFailure":
      return state({ ...from, state: "working", ended: waitId(event, KINDS) });
    case "Notification":
      return text(event, "notification_type") === "idle_prompt" ? resting(event, from, context) : undefined;
    case "Stop":
      return stopped(event, from, runs(event["background_tasks"], isSubagent));
    case "StopFailure":
      return failed(event, from);
    case "SessionEnd":
      return state({ ...from, state: "gone" });
    default:
      return undefined;
  }
}

/**
 * Qwen Code waits for a prompt. If the turn had its Stop, that was said after the turn's last record, and this report is the older one:
 * it changes nothing. If not, it was stopped, or failed. A dialog that was open until then has been cancelled: a busy Qwen Code records
 * that, and even that the tool was called, seconds later.
 */
async function resting(event: Payload, from: ReportOrigin, { waitsSince }: HookContext): Promise<Report | undefined> {
  const said = Date.parse(text(event, "timestamp") ?? "");
  if ((waitsSince?.(from) ?? Number.NaN) < said) return state({ ...from, state: "idle", outcome: "interrupted", seq: said });
  const standing = await readStanding(text(event, "transcript_path"), said);
  return standing && state({ ...from, state: "idle", outcome: standing.outcome, seq: standing.at });
}

/** A command that is not in the background says so (0.24.4): that need not be told. */
function inForeground(event: Payload): Payload {
  const { is_background: isBackground, ...input } = object(event["tool_input"]) ?? {};
  return isBackground === false ? { ...event, tool_input: input } : event;
}

function isSubagent(task: Payload): boolean {
  return typeof task["agent_type"] === "string";
}

const KINDS: Kinds = { ask_user_question: "question", exit_plan_mode: "plan" };
