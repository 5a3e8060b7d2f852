import { dirname, join } from "node:path";
import { settingsFile } from "../install/settings-hooks.ts";
import { namesInFolder, textsInFile } from "../install/strangers.ts";
import type { InstallOptions } from "../types.ts";
import { settingsHooks } from "./install.ts";

/** Commands of hooks, and extensions. */
export function strangers(options: InstallOptions): string[] {
  const file = settingsFile(settingsHooks, options);
  return [...textsInFile(file, ["hooks"]), ...namesInFolder(join(dirname(file), "extensions"))];
}
