import { settingsFile } from "../install/settings-hooks.ts";
import { textsInFile } from "../install/strangers.ts";
import type { InstallOptions } from "../types.ts";
import { settingsHooks } from "./install.ts";

/** Commands of hooks and of the status line, and plugins. */
export function strangers(options: InstallOptions): string[] {
  return textsInFile(settingsFile(settingsHooks, options), ["hooks", "enabledPlugins", "statusLine"]);
}
