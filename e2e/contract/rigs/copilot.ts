import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Chapter, FOLDER, PRIVATE, type Rig } from "../adapter.ts";
import { type HookEvent, hookRig } from "./hook.ts";

const SESSION = "5e550001-0000-4000-8000-000000000000";

/** Payloads and records as Copilot CLI 1.0.102 made them. The replies stand in its own record of the session. */
export const copilot: Rig = hookRig({
  source: "copilot",
  name: "GitHub Copilot CLI",
  env: (home) => ({ COPILOT_CLI: "1", COPILOT_HOME: home }),
  tell,
});

function tell(chapter: Chapter, at: number, home: string): HookEvent[] {
  const file = join(home, "session-state", SESSION, "events.jsonl");
  const said = (content: string, agentId?: string): string =>
    record("assistant.message", { messageId: `m-${at}${agentId ?? ""}`, content, toolRequests: [] }, agentId);
  /** A hook, whose beginning the record tells after the records given. */
  const hook = (name: string, hookType: string, records: readonly string[], more: object = {}): HookEvent => {
    const time = Date.now();
    const payload = { hook_event_name: name, session_id: SESSION, timestamp: new Date(time).toISOString(), cwd: FOLDER, ...more };
    const write = (): void => {
      mkdirSync(dirname(file), { recursive: true });
      appendFileSync(file, [...records, record("hook.start", { hookType, input: { timestamp: time } })].join(""));
    };
    return { payload, before: write };
  };
  const prompt = (): HookEvent => hook("UserPromptSubmit", "userPromptSubmitted", [], { prompt: PRIVATE.prompt });
  const asked = record("user.message", { content: PRIVATE.prompt });
  const stop = (records: readonly string[], more: object = {}): HookEvent =>
    hook("Stop", "agentStop", [asked, ...records], { transcript_path: file, stop_reason: "end_turn", ...more });
  switch (chapter.is) {
    case "turn": {
      const call = { toolCallId: `c-${at}`, toolName: "bash", arguments: { command: PRIVATE.input } };
      const request = { requestId: `r-${at}`, permissionRequest: { ...call, fullCommandText: PRIVATE.input } };
      const waiting = [record("tool.execution_start", call), record("permission.requested", request)];
      const given = record("permission.completed", { requestId: request.requestId });
      const message = { message: `Run command: ${PRIVATE.input}`, notification_type: "permission_prompt" };
      return [prompt(), hook("Notification", "notification", waiting, message), stop([given, said(chapter.says)])];
    }
    case "turn without words":
      return [prompt(), stop([said("")])];
    case "subagent's turn":
      return [prompt(), stop([said(chapter.says, "a-1")], { session_id: "a-1", agent_id: "a-1" }), stop([said("")])];
    case "aborted turn":
      // No hook tells of it; what had been said stands in the record.
      return [{ ...prompt(), before: () => appendFileSync(file, asked + said(chapter.says) + record("abort", {})) }];
    case "unknown event":
      return [hook("TomorrowInvented", "tomorrowInvented", [], { prompt: PRIVATE.prompt })];
    case "end":
      return [hook("SessionEnd", "sessionEnd", [], { reason: "user_exit" })];
    default:
      return [];
  }
}

function record(type: string, data: object, agentId?: string): string {
  return `${JSON.stringify({ type, data, timestamp: new Date().toISOString(), ...(agentId !== undefined && { agentId }) })}\n`;
}
