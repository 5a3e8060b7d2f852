import { type Chapter, FOLDER, PRIVATE, type Rig } from "../adapter.ts";
import { type HookEvent, hookRig } from "./hook.ts";

const SESSION = "5b1f0c1e-0000-4000-8000-00000000c001";

/** Payloads as Cursor's documentation and others have them. */
export const cursor: Rig = hookRig({ source: "cursor", name: "Cursor", tell });

function tell(chapter: Chapter, at: number): HookEvent[] {
  const hook = (name: string, more: object = {}): HookEvent => ({
    payload: {
      conversation_id: SESSION,
      session_id: SESSION,
      generation_id: `generation-${at}`,
      hook_event_name: name,
      cursor_version: "2026.09.10",
      workspace_roots: [FOLDER],
      user_email: "private@example.com",
      transcript_path: null,
      ...more,
    },
  });
  const prompt = (): HookEvent => hook("beforeSubmitPrompt", { prompt: PRIVATE.prompt });
  const said = (text: string, more: object = {}): HookEvent => hook("afterAgentResponse", { text, ...more });
  const stop = (status: string): HookEvent => hook("stop", { status, loop_count: 0 });
  switch (chapter.is) {
    case "turn":
      return [prompt(), said("Let me look."), said(chapter.says), stop("completed")];
    case "turn without words":
      return [prompt(), stop("completed")];
    case "subagent's turn":
      return [prompt(), said(chapter.says, { subagent_id: "helper" }), stop("completed")];
    case "aborted turn":
      return [prompt(), said(chapter.says), stop("aborted")];
    case "unknown event":
      return [hook("tomorrowInvented", { prompt: PRIVATE.prompt })];
    case "end":
      return [hook("sessionEnd", { reason: "completed", final_status: "completed" })];
    default:
      return [];
  }
}
