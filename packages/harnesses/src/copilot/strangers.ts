import { dirname } from "node:path";
import { settingsFile } from "../install/settings-hooks.ts";
import { textsInFolder } from "../install/strangers.ts";
import type { InstallOptions } from "../types.ts";
import { settingsHooks } from "./install.ts";

/** Each program has a file of its own in the folder of hooks. */
export function strangers(options: InstallOptions): string[] {
  return textsInFolder(dirname(settingsFile(settingsHooks, options)), ".json");
}
