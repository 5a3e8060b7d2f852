import { parseSwitch } from "@moth-companion/core/config";
import type { Engine } from "./host.ts";

/** What the person has turned on, as core's `showInHarness` and `answersOn` decide it; there is no Node here. */
export interface Switches {
  /** moth's lines inside. */
  shown: boolean;
  /** Messages through moth. */
  answers: boolean;
}

/** Never rejects. */
export async function readSwitches($: Engine): Promise<Switches> {
  try {
    const shown = parseSwitch(await $.env.get("MOTH_SHOW_IN_HARNESS"));
    const answers = parseSwitch(await $.env.get("MOTH_ANSWERS"));
    const file = shown === undefined || answers === undefined ? await readFile($) : {};
    return {
      shown: shown ?? parseSwitch(file.show_in_harness) ?? false,
      answers: answers ?? parseSwitch(file.answers) ?? false,
    };
  } catch {
    return { shown: false, answers: false };
  }
}

async function readFile($: Engine): Promise<{ show_in_harness?: unknown; answers?: unknown }> {
  try {
    const config: unknown = JSON.parse((await $.fs.read(await configFile($))).replace(/^\uFEFF/, ""));
    return typeof config === "object" && config !== null ? config : {};
  } catch {
    return {};
  }
}

async function configFile($: Engine): Promise<string> {
  const file = await $.env.get("MOTH_CONFIG_FILE");
  if (file) return file;
  const folder = await $.env.get("MOTH_HOME");
  if (folder) return `${folder}/config.json`;
  return `${(await $.env.get("HOME")) || (await $.env.get("USERPROFILE"))}/.moth/config.json`;
}
