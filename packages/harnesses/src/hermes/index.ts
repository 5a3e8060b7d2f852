import type { Harness } from "../types.ts";
import { detect } from "./detect.ts";
import { launch } from "./launch.ts";

export const hermes: Harness & { id: "hermes" } = {
  id: "hermes",
  name: "Hermes Agent",
  short: "hermes",
  program: "hermes",
  movedBy: ["HERMES_HOME"],
  extras: { profile: true },
  inWindow: "moth answers Hermes in its classic terminal alone: the dialog that is on the screen, and none that hides a part.",
  detect,
  launch,
  // Only when asked for: the server holds this registry too, and edits nothing.
  health: async (options) => (await import("./install.ts")).health(options),
  planHook: async (options) => (await import("./install.ts")).planHook(options),
  planUnhook: async (options) => (await import("./install.ts")).planUnhook(options),
  strangers: async (options) => (await import("./strangers.ts")).strangers(options),
};
