/** What Codex's hook events become. Payloads as seen on 0.171.0; `docs/harness/codex.md` tells why each becomes what. */
import { placeOf } from "@moth-companion/core/label";
import type { ReportOrigin, StateReport, Wait } from "@moth-companion/core/protocol";
import { shortHash } from "../short-hash.ts";
import type { HookContext, Report } from "../types.ts";

export const SOURCE: "codex" = "codex" as const;

/** The tool by which the model asks the person something. */
const QUESTION_TOOL = "request_user_input";

/** The events moth hooks. `matcher`: only for that tool. `holds`: its hook can stand in for the dialog. */
export const EVENTS: readonly { name: string; matcher?: string; holds?: true }[] = [
  { name: "SessionStart" },
  { name: "UserPromptSubmit" },
  { name: "PermissionRequest", holds: true },
  { name: "PreToolUse", matcher: QUESTION_TOOL },
  { name: "Stop" },
  { name: "Interrupt" },
  { name: "SessionEnd" },
];

type Payload = Readonly<Record<string, unknown>>;

/** Reads one event. Everything in it is a stranger's: a field of a wrong type counts as missing. */
export function readPayload(payload: unknown, { seq }: Pick<HookContext, "seq">): Report[] {
  if (typeof payload !== "object" || payload === null) return [];
  const event = payload as Payload;
  const session = text(event, "session_id");
  if (!session) return [];
  const report = readEvent(event, { source: SOURCE, session, ...placeOf(text(event, "cwd"), session), seq });
  return report ? [report] : [];
}

function readEvent(event: Payload, from: ReportOrigin): Report | undefined {
  const name = text(event, "hook_event_name");
  // A subagent's dialogs are the session's; its turns, which come under the session's id, are not.
  switch (name) {
    case "PermissionRequest":
      return waiting(event, from, "permission", permissionId(event["tool_input"]));
    case "PreToolUse":
      return text(event, "tool_name") === QUESTION_TOOL
        ? waiting(event, from, "question", text(event, "tool_use_id") ?? QUESTION_TOOL)
        : undefined;
  }
  if (text(event, "agent_id") !== undefined) return undefined;
  switch (name) {
    case "SessionStart":
      // It comes with the first prompt (0.171.0). After a compaction the turn may go on.
      return text(event, "source") === "compact" ? undefined : state({ ...from, state: "working" });
    case "UserPromptSubmit":
      return state({ ...from, state: "working" });
    case "Stop":
      return stopped(event, from);
    case "Interrupt":
      return state({ ...from, state: "idle", outcome: "interrupted" });
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
  const reply = text(event, "last_assistant_message");
  if (!reply?.trim()) return state({ ...from, state: "idle", outcome: "done" });
  const turn = text(event, "turn_id");
  return { to: "agent", body: { ...from, text: reply, outcome: "done", state: "idle", ...(turn && { turn }) } };
}

function waiting(event: Payload, from: ReportOrigin, kind: Wait["kind"], call: string): Report {
  const tool = text(event, "tool_name");
  const wait: Wait = { id: waitId(text(event, "agent_id"), call), kind, ...(tool && { tool }), answerable: false };
  return state({ ...from, state: "waiting", wait });
}

/** Names a wait so that the watch finds its call again: in the session's rollout, or in that of its subagent. */
export function waitId(agent: string | undefined, call: string): string {
  return agent === undefined ? call : `${agent}.${call}`;
}

/** What {@link waitId} was made of. */
export function readWaitId(id: string): { agent?: string; call: string } {
  const dot = id.indexOf(".");
  return dot === -1 ? { call: id } : { agent: id.slice(0, dot), call: id.slice(dot + 1) };
}

/** Names the wait for a plan to be approved after the turn that proposed it. */
export function planId(turn: string): string {
  return `plan-${turn}`;
}

/** What {@link planId} was made of. */
export function planTurn(id: string): string {
  return id.slice("plan-".length);
}

/** A request for a permission does not name its call: the command and its reason do. */
function permissionId(input: unknown): string {
  const { command, description } = (typeof input === "object" && input !== null ? input : {}) as Payload;
  return commandId(command, description);
}

/** @param why the model's reason, which the person is shown */
export function commandId(command: unknown, why: unknown): string {
  return shortHash(JSON.stringify([command ?? null, why ?? null]));
}

function text(from: Payload, key: string): string | undefined {
  const value = from[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}
