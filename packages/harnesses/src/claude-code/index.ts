import type { Harness, Plan, ReadPayload } from "../types.ts";
import { readPayload, SOURCE } from "./payload.ts";

const nothing = (action: Plan["action"]): Promise<Plan> =>
  Promise.resolve({ harness: "claude-code", action, changes: [], notes: [], again: () => nothing(action) });

export const claudeCode: Harness & { id: typeof SOURCE; readPayload: ReadPayload } = {
  id: SOURCE,
  name: "Claude Code",
  short: "claude",
  detect: () => Promise.resolve({ found: false, configDir: "" }),
  health: () => Promise.resolve({ status: "not-installed", where: [] }),
  planHook: () => nothing("hook"),
  planUnhook: () => nothing("unhook"),
  readPayload,
};
