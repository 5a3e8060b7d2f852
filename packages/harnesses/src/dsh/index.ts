import type { Harness } from "../types.ts";
import { detect } from "./detect.ts";

export const dsh: Harness & { id: "dsh" } = {
  id: "dsh",
  name: "dsh",
  short: "dsh",
  program: "dsh",
  movedBy: ["DSH_HOME"],
  extras: { profile: "One row in dsh's home folder hooks every profile: there is none to choose." },
  detect,
  // Only when asked for: the server holds this registry too, and edits nothing.
  health: async (options) => (await import("./health.ts")).health(options),
  planHook: async (options) => (await import("./install.ts")).planHook(options),
  planUnhook: async (options) => (await import("./install.ts")).planUnhook(options),
  strangers: async (options) => (await import("./strangers.ts")).strangers(options),
};
