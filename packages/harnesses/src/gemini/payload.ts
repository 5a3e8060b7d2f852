/** What Gemini CLI's hook events become. Payloads as seen on 0.61.0; `docs/harness/gemini.md` tells why each becomes what. */
import { placeOf } from "@moth-companion/core/label";
import type { ReportOrigin, StateReport, Wait, WaitKind } from "@moth-companion/core/protocol";
import { shortHash } from "../short-hash.ts";
import type { HookContext, Report } from "../types.ts";
import { readEnding } from "./transcript.ts";

export const SOURCE: "gemini" = "gemini" as const;

/** The events moth hooks. `args`: what the hook is told beside the harness. */
export const EVENTS: readonly { name: string; args?: readonly string[] }[] = [
  { name: "SessionStart" },
  { name: "BeforeAgent" },
  { name: "Notification" },
  // Fires after every tool, and only closes waits.
  { name: "AfterTool", args: ["if-waiting"] },
  { name: "AfterAgent" },
  { name: "SessionEnd" },
];

type Payload = Readonly<Record<string, unknown>>;

/** Reads one event. Everything in it is a stranger's: a field of a wrong type counts as missing. */
export async function readPayload(payload: unknown, context: HookContext): Promise<Report[]> {
  if (!isObject(payload)) return [];
  const session = text(payload, "session_id");
  if (!session) return [];
  const report = await readEvent(payload, {
    source: SOURCE,
    session,
    ...placeOf(text(payload, "cwd"), session),
    seq: context.seq,
    ...(context.caller !== undefined && { pid: context.caller }),
  });
  return report ? [report] : [];
}

async function readEvent(event: Payload, from: ReportOrigin): Promise<Report | undefined> {
  switch (text(event, "hook_event_name")) {
    case "SessionStart":
      return state({ ...from, state: "idle" });
    case "BeforeAgent":
      return state({ ...from, state: "working" });
    case "Notification":
      return opened(event, from);
    case "AfterTool":
      return state({ ...from, state: "working", ended: waitId(afterTool(event)) });
    case "AfterAgent":
      return ended(event, from);
    case "SessionEnd":
      return state({ ...from, state: "gone" });
    default:
      return undefined;
  }
}

function state(body: StateReport): Report {
  return { to: "state", body };
}

/**
 * The event's own text is not to be used: it has streamed text twice and narration in it, and comes for cancelled and failed turns,
 * too. The transcript has it right.
 */
async function ended(event: Payload, from: ReportOrigin): Promise<Report> {
  const ending = await readEnding(text(event, "transcript_path"));
  if (ending.outcome !== "done") return state({ ...from, state: "idle", outcome: ending.outcome });
  if (ending.text === undefined) return state({ ...from, state: "idle", outcome: "done" });
  const { text: reply, turn } = ending;
  return { to: "agent", body: { ...from, text: reply, outcome: "done", state: "idle", ...(turn !== undefined && { turn }) } };
}

/** What a dialog is about, as far as it and the tool's end both tell. */
interface Asked {
  kind: WaitKind;
  tool?: string;
  about?: string;
}

/** By `details.type` of a dialog (0.61.0). */
function dialog(details: Payload): Asked {
  switch (text(details, "type")) {
    case "exec":
      return { kind: "permission", tool: "run_shell_command", about: text(details, "command") ?? "" };
    // Two tools edit files, and the dialog does not tell which.
    case "edit":
      return { kind: "permission", about: fileName(text(details, "filePath")) };
    case "mcp":
      return { kind: "permission", about: text(details, "toolName") ?? "" };
    case "ask_user":
      return { kind: "question", tool: "ask_user" };
    case "exit_plan_mode":
      return { kind: "plan", tool: "exit_plan_mode" };
    default:
      return { kind: "permission" };
  }
}

function afterTool(event: Payload): Asked {
  const tool = text(event, "tool_name") ?? "";
  const input = isObject(event["tool_input"]) ? event["tool_input"] : {};
  switch (tool) {
    case "run_shell_command":
      return { kind: "permission", tool, about: text(input, "command") ?? "" };
    case "write_file":
    case "replace":
      return { kind: "permission", about: fileName(text(input, "file_path")) };
    case "ask_user":
      return { kind: "question", tool };
    case "exit_plan_mode":
      return { kind: "plan", tool };
    default: {
      // `mcp_<server>_<tool>`: the dialog tells them apart, the name does not.
      const context = isObject(event["mcp_context"]) ? text(event["mcp_context"], "tool_name") : undefined;
      return { kind: "permission", ...(context && { about: context }) };
    }
  }
}

function opened(event: Payload, from: ReportOrigin): Report | undefined {
  if (text(event, "notification_type") !== "ToolPermission") return undefined;
  const asked = dialog(isObject(event["details"]) ? event["details"] : {});
  const wait: Wait = { id: waitId(asked), kind: asked.kind, ...(asked.tool && { tool: asked.tool }), answerable: false };
  return state({ ...from, state: "waiting", wait });
}

function waitId({ kind, tool = "", about = "" }: Asked): string {
  return shortHash(`${kind}\n${tool}\n${about}`);
}

/** A dialog names a file by its whole path, a tool's input as the model wrote it. */
function fileName(path: string | undefined): string {
  return path?.split(/[\\/]/).at(-1) ?? "";
}

function isObject(value: unknown): value is Payload {
  return typeof value === "object" && value !== null;
}

function text(from: Payload, key: string): string | undefined {
  const value = from[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}
