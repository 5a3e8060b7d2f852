import { dirname, join } from "node:path";
import { namesInFolder, textsInFile } from "../install/strangers.ts";
import type { InstallOptions } from "../types.ts";
import { pluginFile } from "./install.ts";

/** Files in the folder of extensions, and packages. */
export function strangers(options: InstallOptions): string[] {
  const folder = dirname(pluginFile(options).file);
  return [...namesInFolder(folder), ...textsInFile(join(dirname(folder), "settings.json"), ["packages", "extensions"])];
}
