import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { type Chapter, FOLDER, PRIVATE, type Rig } from "../adapter.ts";
import { type HookEvent, hookRig } from "./hook.ts";

/** Payloads and recordings as Gemini CLI 0.61.0 made them. The replies stand in its own recording of the session. */
export const gemini: Rig = hookRig({ source: "gemini", name: "Gemini CLI", tell });

function tell(chapter: Chapter, at: number, home: string): HookEvent[] {
  const file = join(home, "session-2026-11-30.jsonl");
  const hook = (name: string, more: object = {}, ...records: readonly object[]): HookEvent => ({
    payload: {
      session_id: "01111111-1111-4222-8333-444455556666",
      transcript_path: file,
      cwd: FOLDER,
      hook_event_name: name,
      timestamp: new Date().toISOString(),
      ...more,
    },
    before: () => appendFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join("")),
  });
  const record = (type: string, text: string, more: object = {}): object => ({
    id: `${type}-${at}`,
    timestamp: new Date().toISOString(),
    type,
    content: type === "user" ? [{ text }] : text,
    ...more,
  });
  const said = (text: string): object => record("gemini", text, { model: "gemini-2.5-flash", thoughts: [] });
  const prompt = (): HookEvent => hook("BeforeAgent", { prompt: PRIVATE.prompt });
  const asked = record("user", PRIVATE.prompt);
  // The event's own text has all that was said in it, of a subagent, too.
  const over = (garbled: string, ...records: object[]): HookEvent =>
    hook("AfterAgent", { prompt: PRIVATE.prompt, prompt_response: garbled }, asked, ...records);
  switch (chapter.is) {
    case "turn": {
      const input = { command: PRIVATE.input };
      const dialog = { notification_type: "ToolPermission", message: PRIVATE.input, details: { type: "exec", ...input } };
      const used = { tool_name: "run_shell_command", tool_input: input, tool_response: { llmContent: PRIVATE.result } };
      const after = { ...hook("AfterTool", used), args: ["if-waiting"] };
      return [prompt(), hook("Notification", dialog), after, over(`Let me look.${chapter.says}`, said(chapter.says))];
    }
    case "turn without words":
      return [prompt(), over("", said(""))];
    case "subagent's turn":
      return [prompt(), over(chapter.says, said(""))];
    case "aborted turn":
      return [prompt(), over(chapter.says, record("info", "Request cancelled."))];
    case "unknown event":
      return [hook("TomorrowInvented", { prompt: PRIVATE.prompt })];
    case "end":
      return [hook("SessionEnd", { reason: "exit" })];
    default:
      return [];
  }
}
