import { join } from "node:path";
import { type Chapter, FOLDER, PRIVATE, type Rig } from "../adapter.ts";
import { type HookEvent, hookRig } from "./hook.ts";

/** Payloads as Qwen Code 0.24.4 gave them: those of Claude Code, and one for a turn that was stopped. */
export const qwen: Rig = hookRig({ source: "qwen", name: "Qwen Code", tell });

function tell(chapter: Chapter, at: number, home: string): HookEvent[] {
  const hook = (name: string, more: object = {}, args: readonly string[] = []): HookEvent => ({
    payload: {
      session_id: "0a1b2c3d-0000-4000-8000-000000000001",
      transcript_path: join(home, "chats", "none.jsonl"),
      cwd: FOLDER,
      hook_event_name: name,
      prompt_id: `turn-${at}`,
      ...more,
    },
    args,
  });
  const prompt = (): HookEvent => hook("UserPromptSubmit", { prompt: PRIVATE.prompt });
  const stop = (says: string): HookEvent => hook("Stop", { last_assistant_message: says, background_tasks: [] });
  switch (chapter.is) {
    case "turn": {
      const call = { tool_name: "run_shell_command", tool_input: { command: PRIVATE.input } };
      const used = hook("PostToolUse", { ...call, tool_response: PRIVATE.result }, ["if-waiting"]);
      return [prompt(), hook("PermissionRequest", call), used, stop(chapter.says)];
    }
    case "turn without words":
      return [prompt(), stop("")];
    case "subagent's turn":
      return [prompt(), hook("Stop", { agent_id: "helper", last_assistant_message: chapter.says }), stop("")];
    case "aborted turn":
      return [prompt(), hook("Notification", { notification_type: "idle_prompt", message: chapter.says })];
    case "unknown event":
      return [hook("TomorrowInvented", { prompt: PRIVATE.prompt })];
    case "end":
      return [hook("SessionEnd", { reason: "prompt_input_exit" })];
    default:
      return [];
  }
}
