import type { Harness, ReadPayload, StartWatch } from "../types.ts";
import { detect } from "./detect.ts";
import { launch } from "./launch.ts";
import { readPayload, SOURCE } from "./payload.ts";
import { startWatch } from "./watch.ts";

export const copilot: Harness & { id: typeof SOURCE; readPayload: ReadPayload; startWatch: StartWatch } = {
  id: SOURCE,
  name: "GitHub Copilot CLI",
  short: "copilot",
  program: "copilot",
  movedBy: ["COPILOT_HOME"],
  extras: { answers: true },
  inWindow: "Copilot is answered by moth's extension, which is not loaded or may not handle this: moth hook copilot --answers.",
  detect,
  launch,
  // Only when asked for: the server holds this registry too, and edits nothing.
  health: async (options) => (await import("./install.ts")).health(options),
  planHook: async (options) => (await import("./install.ts")).planHook(options),
  planUnhook: async (options) => (await import("./install.ts")).planUnhook(options),
  strangers: async (options) => (await import("./strangers.ts")).strangers(options),
  readPayload,
  startWatch,
};
