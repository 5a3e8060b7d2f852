import { planNoPluginFile, pluginFileHealth } from "../install/plugin-file.ts";
import type { Harness } from "../types.ts";
import { detect } from "./detect.ts";
import { otherWays, planHook, pluginFile } from "./install.ts";
import { launch } from "./launch.ts";

export const pi: Harness & { id: "pi" } = {
  id: "pi",
  name: "Pi",
  short: "pi",
  program: "pi",
  movedBy: ["PI_CODING_AGENT_DIR"],
  detect,
  launch,
  health: async (options) => pluginFileHealth(options, pluginFile(options), otherWays(options)),
  planHook,
  planUnhook: (options) => planNoPluginFile(options, pluginFile(options)),
  strangers: async (options) => (await import("./strangers.ts")).strangers(options),
};
