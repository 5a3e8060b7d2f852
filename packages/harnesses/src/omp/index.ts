import { planNoPluginFile, pluginFileHealth } from "../install/plugin-file.ts";
import type { Harness } from "../types.ts";
import { detect } from "./detect.ts";
import { otherWays, planHook, pluginFile } from "./install.ts";
import { launch } from "./launch.ts";

export const omp: Harness & { id: "omp" } = {
  id: "omp",
  name: "omp",
  short: "omp",
  program: "omp",
  movedBy: ["PI_CODING_AGENT_DIR", "PI_CONFIG_DIR", "OMP_PROFILE", "PI_PROFILE"],
  extras: { profile: true },
  detect,
  launch,
  health: async (options) => pluginFileHealth(options, pluginFile(options), otherWays(options)),
  planHook,
  planUnhook: async (options) => planNoPluginFile(options, pluginFile(options)),
  strangers: async (options) => (await import("./strangers.ts")).strangers(options),
};
