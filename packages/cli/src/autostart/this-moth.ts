import { type Env } from "@moth-companion/core/paths";
import { binFile } from "../self.ts";
import type { Here } from "./autostart.ts";

/** The moth that runs this command, on this machine. */
export function thisMoth(env: Env): Here {
  return { env, platform: process.platform, node: process.execPath, bin: binFile() };
}
