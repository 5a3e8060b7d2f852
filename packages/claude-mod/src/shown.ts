import { parseSwitch } from "@moth-companion/core/config";
import type { Engine } from "./host.ts";

/** Whether the person wants moth's lines inside, as core's `showInHarness` decides it; there is no Node here. Never rejects. */
export async function isShown($: Engine): Promise<boolean> {
  try {
    const fromEnv = parseSwitch(await $.env.get("MOTH_SHOW_IN_HARNESS"));
    if (fromEnv !== undefined) return fromEnv;
    const text = await $.fs.read(await configFile($));
    const config: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return parseSwitch((config as { show_in_harness?: unknown } | null)?.show_in_harness) ?? false;
  } catch {
    return false;
  }
}

async function configFile($: Engine): Promise<string> {
  const file = await $.env.get("MOTH_CONFIG_FILE");
  if (file) return file;
  const folder = await $.env.get("MOTH_HOME");
  if (folder) return `${folder}/config.json`;
  return `${(await $.env.get("HOME")) || (await $.env.get("USERPROFILE"))}/.moth/config.json`;
}
