import { settingsFile } from "../install/settings-hooks.ts";
import { textsInFile } from "../install/strangers.ts";
import type { InstallOptions } from "../types.ts";
import { settingsHooks } from "./install.ts";
import { configFile } from "./detect.ts";

/** Hooks may stand in both files, a notifier and plugins in the second. */
export function strangers(options: InstallOptions): string[] {
  return [
    ...textsInFile(settingsFile(settingsHooks, options)),
    ...textsInFile(configFile(options), ["notify", "hooks", "plugins"]),
  ];
}
