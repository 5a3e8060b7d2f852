/**
 * What Claude Code's hook events become. Payloads as seen on 2.1.332; `docs/harness/claude-code.md` tells why each becomes what.
 */
import { placeOf } from "@moth-companion/core/label";
import type { ReportOrigin } from "@moth-companion/core/protocol";
import { failed, type Kinds, opened, type Payload, runs, state, stopped, text, waitId } from "../claude-shaped/events.ts";
import type { HookContext, Report } from "../types.ts";

export const SOURCE: "claude-code" = "claude-code" as const;

/**
 * The events moth hooks. `async`: the harness does not wait for the hook. `args`: what the hook is told beside the harness. `timeout`:
 * seconds after which Claude Code ends the hook, where they are not the usual.
 */
export const EVENTS: readonly { name: string; async?: true; args?: readonly string[]; timeout?: number }[] = [
  { name: "SessionStart" },
  { name: "UserPromptSubmit" },
  // Its dialog stays usable while the hook runs, which waits for the person only when answers are on.
  { name: "PermissionRequest", args: ["asks"], timeout: 24 * 60 * 60 },
  // Fires after every tool, and only closes waits: nobody waits for it.
  { name: "PostToolUse", async: true, args: ["if-waiting"] },
  { name: "Stop" },
  { name: "StopFailure" },
  { name: "SessionEnd" },
];

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
    ...placeOf(text(event, "cwd"), session),
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
      return env["CLAUDE_CODE_ENTRYPOINT"] === "sdk-cli" ? undefined : opened(event, from, KINDS);
    case "PostToolUse":
      return state({ ...from, state: "working", ended: waitId(event, KINDS) });
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
      return stopped(event, from, runs(event["background_tasks"], isOwnWork));
    case "StopFailure":
      return failed(event, from);
    case "SessionEnd":
      return state({ ...from, state: "gone" });
    default:
      return undefined;
  }
}

/** Tasks that end by themselves, after which the agent speaks again. A shell (a dev server) or a monitor may run for days. */
const OWN_WORK = new Set(["subagent", "workflow"]);

function isOwnWork({ type }: Payload): boolean {
  return typeof type === "string" && OWN_WORK.has(type);
}

const KINDS: Kinds = { AskUserQuestion: "question", ExitPlanMode: "plan" };
