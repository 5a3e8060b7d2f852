import { join } from "node:path";
import { namesInFolder, textsInFile } from "../install/strangers.ts";
import type { InstallOptions } from "../types.ts";
import { hermesHome } from "./detect.ts";

/** Plugins, and commands of shell hooks. */
export function strangers({ env }: InstallOptions): string[] {
  const home = hermesHome(env);
  return [...namesInFolder(join(home, "plugins")), ...textsInFile(join(home, "config.yaml"), ["hooks", "plugins"])];
}
