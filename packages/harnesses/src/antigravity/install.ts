/** moth's hooks in Antigravity's `hooks.json`: under a name of moth's own, as that file has one name for each set of hooks. */
import type { Entry } from "../install/hook-table.ts";
import { hookCommand } from "../install/launcher.ts";
import { PlanError } from "../install/plan-error.ts";
import { settingsHealth } from "../install/settings-health.ts";
import { planSettingsHook, planSettingsUnhook, type SettingsHooks } from "../install/settings-hooks.ts";
import { plainLine, readShellLine } from "../install/shell-line.ts";
import type { Health, InstallOptions, Plan } from "../types.ts";
import { configDir } from "./detect.ts";
import { EVENTS, SOURCE } from "./payload.ts";

/** Seconds after which Antigravity would end the hook. It ends by itself within one. */
const TIMEOUT_S = 5;

export const settingsHooks: SettingsHooks = {
  id: SOURCE,
  name: "Antigravity",
  folder: ".gemini/config",
  file: "hooks.json",
  strict: { comments: false, effect: "ignores this whole file" },
  shape: { name: "moth", flat: true },
  configDir,
  environment: () => "",
  entries: (options, platform) => new Map(EVENTS.map((event): [string, Entry] => [event, entry(options, platform)])),
  commandOf: ({ command }) => readShellLine(command),
  notes: () => [
    "moth was not run with Antigravity itself: what it does is known from others' reports.",
    "Whether it has taken the hooks: agy -p /hooks --output-format json",
  ],
  trouble: () => undefined,
  otherWays: () => [],
};

function entry(options: InstallOptions, platform: string): Entry {
  const command = hookCommand(options, [SOURCE, "answer"], platform);
  // Whether a shell reads it is not known.
  return { type: "command", command: plainLine(command, platform === "win32" ? "cmd" : "posix"), timeout: TIMEOUT_S };
}

/** @throws PlanError */
export async function planHook(options: InstallOptions): Promise<Plan> {
  requireNoProject(options);
  return await planSettingsHook(settingsHooks, options);
}

/** @throws PlanError */
export async function planUnhook(options: InstallOptions): Promise<Plan> {
  requireNoProject(options);
  return await planSettingsUnhook(settingsHooks, options);
}

export function health(options: InstallOptions): Promise<Health> {
  return Promise.resolve().then(() => settingsHealth(settingsHooks, options));
}

function requireNoProject({ project }: InstallOptions): void {
  if (project === undefined) return;
  const message =
    "Only some versions of Antigravity read a project's hooks. Hook it without --project: it is heard in every folder.";
  throw new PlanError("NO_PROJECT", message, { file: project });
}
