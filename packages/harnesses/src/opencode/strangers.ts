import { join } from "node:path";
import { namesInFolder, textsInFile } from "../install/strangers.ts";
import type { InstallOptions } from "../types.ts";
import { configDir, globalDir } from "./detect.ts";
import type { Variant } from "./variant.ts";

/** Files in the folders of plugins, and packages in the list of them. */
export function strangers({ env, project }: InstallOptions, variant: Variant): string[] {
  const folders = new Set([globalDir(env, variant), configDir(env, variant)]);
  if (project !== undefined) for (const name of variant.dotFolders) folders.add(join(project, name));
  return [...folders].flatMap((folder) => [
    ...["plugin", "plugins"].flatMap((name) => namesInFolder(join(folder, name))),
    ...[".json", ".jsonc"].flatMap((ending) => textsInFile(join(folder, variant.folder + ending), ["plugin"])),
  ]);
}
