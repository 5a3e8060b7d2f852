import { settingsFile } from "../install/settings-hooks.ts";
import { textsInFile } from "../install/strangers.ts";
import type { InstallOptions } from "../types.ts";
import { settingsHooks } from "./install.ts";

/** The file holds nothing but hooks. */
export function strangers(options: InstallOptions): string[] {
  return textsInFile(settingsFile(settingsHooks, options));
}
