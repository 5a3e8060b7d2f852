/** moth's entries in Claude Code's `settings.json`, in exec form: no shell, so no quoting, on any system. */
import { dirname, join } from "node:path";
import type { Entry, HookTable } from "../install/hook-table.ts";
import { hookCommand } from "../install/launcher.ts";
import { hookTable as tableOf, planSettingsHook, planSettingsUnhook, type SettingsHooks } from "../install/settings-hooks.ts";
import type { InstallOptions, Plan } from "../types.ts";
import { bandNotes, bandStays } from "./band.ts";
import { configDir, isConfigDirLoose } from "./config-dir.ts";
import { EVENTS, SOURCE } from "./payload.ts";

/** Seconds after which Claude Code would end the hook. It ends by itself within one. */
const TIMEOUT_S = 3;

export const settingsHooks: SettingsHooks = {
  id: SOURCE,
  name: "Claude Code",
  folder: ".claude",
  configDir,
  // 2.1.332
  strict: { comments: false, effect: "ignores this whole file" },
  environment: (file) => `CLAUDE_CONFIG_DIR=${dirname(file)}`,
  entries: (options, platform) =>
    new Map(
      EVENTS.map(({ name, async, args = [], timeout = TIMEOUT_S }): [string, Entry] => [
        name,
        { type: "command", ...hookCommand(options, [SOURCE, ...args], platform), timeout, ...(async && { async }) },
      ]),
    ),
  commandOf: ({ command, args }) => ({ command, args }),
  notes,

  trouble(file, { disableAllHooks }) {
    if (disableAllHooks !== true) return undefined;
    return {
      status: "disabled",
      problem: `"disableAllHooks" is on in ${file}, so Claude Code runs no hook.`,
      advice: "Take it out of the file.",
    };
  },

  otherWays: ({ enabledPlugins }) => ourPlugins(enabledPlugins),
};

export function hookTable(options: InstallOptions, platform: string = process.platform): HookTable {
  return tableOf(settingsHooks, options, platform);
}

/** @throws PlanError */
export function planHook(options: InstallOptions): Promise<Plan> {
  return planSettingsHook(settingsHooks, options);
}

/** @throws PlanError */
export async function planUnhook(options: InstallOptions): Promise<Plan> {
  const plan = await planSettingsUnhook(settingsHooks, options);
  const stays = options.project === undefined ? bandStays(join(configDir(options.env), "settings.json")) : [];
  return { ...plan, notes: [...plan.notes, ...stays] };
}

function notes(options: InstallOptions, file: string): string[] {
  return [
    ...(options.project === undefined && isConfigDirLoose(options.env)
      ? ["CLAUDE_CONFIG_DIR is no absolute path: Claude Code looks for it from whatever folder it is started in."]
      : []),
    "Sessions that run already pick the hooks up at once.",
    ...bandNotes(options, file),
  ];
}

/** moth's plugins that are switched on, by the name in the plugin's own manifest. */
function ourPlugins(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .filter(([name, on]) => name.startsWith("moth@") && on === true)
    .map(([name]) => `plugin ${name}`);
}
