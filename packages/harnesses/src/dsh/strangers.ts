import { textsInFile } from "../install/strangers.ts";
import type { InstallOptions } from "../types.ts";
import { places } from "./install.ts";

/** The rows that are patched into every profile. */
export function strangers(options: InstallOptions): string[] {
  return textsInFile(places(options).patches.file);
}
