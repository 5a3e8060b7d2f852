import type { Harness, ReadPayload } from "../types.ts";
import { detect } from "./detect.ts";
import { readPayload, SOURCE } from "./payload.ts";

export const antigravity: Harness & { id: typeof SOURCE; readPayload: ReadPayload } = {
  id: SOURCE,
  name: "Antigravity",
  short: "agy",
  program: "agy",
  movedBy: [],
  notVerified: "it runs hooks only with an account, so the suite cannot run it",
  detect,
  // Only when asked for: the server holds this registry too, and edits nothing.
  health: async (options) => (await import("./install.ts")).health(options),
  planHook: async (options) => (await import("./install.ts")).planHook(options),
  planUnhook: async (options) => (await import("./install.ts")).planUnhook(options),
  strangers: async (options) => (await import("./strangers.ts")).strangers(options),
  readPayload,
};
