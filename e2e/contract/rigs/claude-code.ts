import type { Rig } from "../adapter.ts";
import { claudeShaped, hookRig } from "./hook.ts";

/** Payloads as Claude Code 2.1.332 gave them. Esc fires no hook. */
export const claudeCode: Rig = hookRig({
  source: "claude-code",
  name: "Claude Code",
  tell: claudeShaped("claude-code", "prompt_id", { permission: ["permission-bash", "post-tool-bash"], aborted: [] }),
});
