import type { Harness, ReadPayload, StartWatch } from "../types.ts";
import { detect } from "./detect.ts";
import { launch } from "./launch.ts";
import { readPayload, SOURCE } from "./payload.ts";
import { startWatch } from "./watch.ts";

export const gemini: Harness & { id: typeof SOURCE; readPayload: ReadPayload; startWatch: StartWatch } = {
  id: SOURCE,
  name: "Gemini CLI",
  short: "gemini",
  program: "gemini",
  movedBy: ["GEMINI_CLI_HOME"],
  inWindow: "While Gemini CLI shows a dialog it takes no answer from outside.",
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
