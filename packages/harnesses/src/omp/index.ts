import { planNoPluginFile, pluginFileHealth } from "../install/plugin-file.ts";
import type { Harness } from "../types.ts";
import { detect } from "./detect.ts";
import { otherWays, planHook, pluginFile } from "./install.ts";

export const omp: Harness & { id: "omp" } = {
  id: "omp",
  name: "omp",
  short: "omp",
  detect,
  health: async (options) => pluginFileHealth(options, pluginFile(options), otherWays(options)),
  planHook,
  planUnhook: (options) => planNoPluginFile(options, pluginFile(options)),
};
