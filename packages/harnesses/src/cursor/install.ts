/** moth's entries in Cursor's `hooks.json`, which its editor and its terminal program read. */
import type { Entry } from "../install/hook-table.ts";
import { hookCommand } from "../install/launcher.ts";
import { settingsHealth } from "../install/settings-health.ts";
import { planSettingsHook, planSettingsUnhook, type SettingsHooks } from "../install/settings-hooks.ts";
import { readShellLine, shellLine } from "../install/shell-line.ts";
import type { Health, InstallOptions, Plan } from "../types.ts";
import { cursorHome } from "./detect.ts";
import { EVENTS, SOURCE } from "./payload.ts";

export const settingsHooks: SettingsHooks = {
  id: SOURCE,
  name: "Cursor",
  folder: ".cursor",
  file: "hooks.json",
  strict: { comments: false, effect: "ignores this whole file" },
  shape: { flat: true, empty: '{\n  "version": 1\n}\n' },
  configDir: cursorHome,
  environment: () => "",
  entries: (options, platform) => new Map(EVENTS.map((event): [string, Entry] => [event, entry(options, platform)])),
  commandOf: ({ command }) => readShellLine(command),
  notes: () => ["moth was not run with Cursor itself: what it does is known from others' reports."],
  trouble: () => undefined,
  otherWays: () => [],
};

/** No time limit: whether it is in seconds is not certain, and the hook ends by itself within one. */
function entry(options: InstallOptions, platform: string): Entry {
  const command = hookCommand(options, [SOURCE], platform);
  return { type: "command", command: shellLine(command, platform === "win32" ? "powershell" : "posix") };
}

/** @throws PlanError */
export function planHook(options: InstallOptions): Promise<Plan> {
  return planSettingsHook(settingsHooks, options);
}

/** @throws PlanError */
export function planUnhook(options: InstallOptions): Promise<Plan> {
  return planSettingsUnhook(settingsHooks, options);
}

export function health(options: InstallOptions): Promise<Health> {
  return Promise.resolve().then(() => settingsHealth(settingsHooks, options));
}
