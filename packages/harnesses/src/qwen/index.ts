import type { Harness, ReadPayload } from "../types.ts";
import { detect } from "./detect.ts";
import { launch } from "./launch.ts";
import { readPayload, SOURCE } from "./payload.ts";

export const qwen: Harness & { id: typeof SOURCE; readPayload: ReadPayload } = {
  id: SOURCE,
  name: "Qwen Code",
  short: "qwen",
  program: "qwen",
  movedBy: ["QWEN_HOME"],
  extras: { answers: true },
  inWindow: "While Qwen Code shows a dialog it takes no answer from outside.",
  detect,
  launch,
  // Only when asked for: the server holds this registry too, and edits nothing.
  health: async (options) => (await import("./install.ts")).health(options),
  planHook: async (options) => (await import("./install.ts")).planHook(options),
  planUnhook: async (options) => (await import("./install.ts")).planUnhook(options),
  strangers: async (options) => (await import("./strangers.ts")).strangers(options),
  readPayload,
};
