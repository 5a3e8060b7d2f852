import type { Harness, Plan } from "../types.ts";

const nothing = (action: Plan["action"]): Promise<Plan> =>
  Promise.resolve({ harness: "claude-code", action, changes: [], notes: [], again: () => nothing(action) });

export const claudeCode: Harness = {
  id: "claude-code",
  name: "Claude Code",
  short: "claude",
  detect: () => Promise.resolve({ found: false, configDir: "" }),
  health: () => Promise.resolve({ status: "not-installed", where: [] }),
  planHook: () => nothing("hook"),
  planUnhook: () => nothing("unhook"),
  readPayload: () => [],
};
