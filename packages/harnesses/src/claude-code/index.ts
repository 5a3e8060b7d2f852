import type { Harness, ReadPayload, StartWatch } from "../types.ts";
import { detect } from "./detect.ts";
import { launch } from "./launch.ts";
import { SOURCE } from "./payload.ts";
import { readEvent } from "./read-event.ts";
import { startWatch } from "./watch.ts";

export const claudeCode: Harness & { id: typeof SOURCE; readPayload: ReadPayload; startWatch: StartWatch } = {
  id: SOURCE,
  name: "Claude Code",
  short: "claude",
  program: "claude",
  movedBy: ["CLAUDE_CONFIG_DIR"],
  detect,
  launch,
  // Only when asked for: the server holds this registry too, and edits nothing.
  health: async (options) => (await import("./health.ts")).health(options),
  planHook: async (options) => (await import("./install.ts")).planHook(options),
  planUnhook: async (options) => (await import("./install.ts")).planUnhook(options),
  strangers: async (options) => (await import("./strangers.ts")).strangers(options),
  readPayload: readEvent,
  startWatch,
  ordersNeed:
    "Claude Code does with moth's plugin moth-band, in sessions started since: moth hook claude-code says how to install it.",
};
