/** moth's entries in a file of its own in Copilot's folder of hooks: what is wrong in one file there hurts no other (1.0.102). */
import { dirname } from "node:path";
import type { Entry } from "../install/hook-table.ts";
import { hookCommand } from "../install/launcher.ts";
import { settingsHealth } from "../install/settings-health.ts";
import { planSettingsHook, planSettingsUnhook, type SettingsHooks } from "../install/settings-hooks.ts";
import { readShellLine, shellLine } from "../install/shell-line.ts";
import type { Health, InstallOptions, Plan } from "../types.ts";
import { HOOK_FILE, hookFolder } from "./detect.ts";
import { extensionChanges, extensionNotes, extensionRemoval, extensionTrouble } from "./extension.ts";
import { EVENTS, SOURCE } from "./payload.ts";
import { pluginsIn } from "./plugin.ts";

/** Seconds after which Copilot would end the hook. It ends by itself within one. */
const TIMEOUT_S = 3;

export const settingsHooks: SettingsHooks = {
  id: SOURCE,
  name: "GitHub Copilot CLI",
  folder: ".copilot/hooks",
  projectFolder: ".github/hooks",
  file: HOOK_FILE,
  strict: { comments: false, effect: "ignores this whole file" },
  configDir: hookFolder,
  environment: (file) => `COPILOT_HOME=${dirname(dirname(file))}`,
  entries: (options, platform) => new Map(EVENTS.map((event): [string, Entry] => [event, entry(options, platform)])),
  commandOf: ({ bash, powershell }) => readShellLine(bash ?? powershell),
  notes: ({ project }) => [
    "Conversations that are open already are heard after /clear.",
    ...(project === undefined
      ? []
      : ["Copilot runs a project's hooks only in a git repository, and where you trust the folder."]),
  ],
  trouble(file, { disableAllHooks }) {
    if (disableAllHooks !== true) return undefined;
    const problem = `"disableAllHooks" is on in ${file}, so Copilot runs none of its hooks.`;
    return { status: "disabled", problem, advice: "Take it out of the file." };
  },
  // Its folder of hooks lies in Copilot's own. A project's does not, and has no plugins.
  otherWays: (_settings, file) => pluginsIn(dirname(dirname(file))).map((id) => `plugin ${id}`),
};

function entry(options: InstallOptions, platform: string): Entry {
  const command = hookCommand(options, [SOURCE], platform);
  const line = platform === "win32" ? { powershell: shellLine(command, "powershell") } : { bash: shellLine(command, "posix") };
  return { type: "command", ...line, timeoutSec: TIMEOUT_S };
}

/** @throws PlanError */
export async function planHook(options: InstallOptions): Promise<Plan> {
  const extension = extensionChanges(options);
  const plan = await planSettingsHook(settingsHooks, options, extension.notes);
  return {
    ...plan,
    changes: [...plan.changes, ...extension.changes],
    notes: [...plan.notes, ...extensionNotes(options)],
    again: () => planHook(options),
  };
}

/** @throws PlanError */
export async function planUnhook(options: InstallOptions): Promise<Plan> {
  const extension = extensionRemoval(options);
  const plan = await planSettingsUnhook(settingsHooks, options, extension.files);
  return {
    ...plan,
    changes: [...extension.changes, ...plan.changes],
    folders: [...extension.folders, ...(plan.folders ?? [])],
    again: () => planUnhook(options),
  };
}

export function health(options: InstallOptions): Promise<Health> {
  return Promise.resolve().then(() => {
    const hooks = settingsHealth(settingsHooks, options);
    return hooks.status === "installed" && hooks.problem === undefined ? { ...hooks, ...extensionTrouble(options) } : hooks;
  });
}
