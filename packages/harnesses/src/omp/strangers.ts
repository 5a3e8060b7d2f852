import { dirname, join } from "node:path";
import { namesInFolder, textsInFile } from "../install/strangers.ts";
import type { InstallOptions } from "../types.ts";
import { configRoot } from "./detect.ts";
import { pluginFile } from "./install.ts";

/** Files in the folder of extensions, and packages. */
export function strangers(options: InstallOptions): string[] {
  const packages = join(configRoot(options.env), "plugins", "package.json");
  return [...namesInFolder(dirname(pluginFile(options).file)), ...textsInFile(packages, ["dependencies"])];
}
