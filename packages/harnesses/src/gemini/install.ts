/** moth's entries in Gemini CLI's `settings.json`. Gemini CLI gives their command to a shell, PowerShell on Windows (0.61.0). */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Entry } from "../install/hook-table.ts";
import { hookCommand } from "../install/launcher.ts";
import { settingsHealth } from "../install/settings-health.ts";
import { planSettingsHook, planSettingsUnhook, type SettingsHooks } from "../install/settings-hooks.ts";
import { readShellLine, shellLine } from "../install/shell-line.ts";
import type { Health, InstallOptions, Plan } from "../types.ts";
import { configDir, FOLDER } from "./detect.ts";
import { EVENTS, SOURCE } from "./payload.ts";

/** Milliseconds after which Gemini CLI would end the hook. It ends by itself within a second. */
const TIMEOUT_MS = 3000;
/** How Gemini CLI shows that the hook runs, and the name by which the person may switch it off. */
const NAME = "moth";

export const settingsHooks: SettingsHooks = {
  id: SOURCE,
  name: "Gemini CLI",
  folder: FOLDER,
  configDir,
  // 0.61.0
  strict: { comments: true, effect: "does not start" },
  environment: (file) => `GEMINI_CLI_HOME=${dirname(dirname(file))}`,

  entries: (options, platform) =>
    new Map(
      EVENTS.map(({ name, args = [] }): [string, Entry] => {
        const command = hookCommand(options, [SOURCE, ...args], platform);
        const line = shellLine(command, platform === "win32" ? "powershell" : "posix");
        return [name, { type: "command", name: NAME, command: line, timeout: TIMEOUT_MS }];
      }),
    ),
  // At its exit Gemini CLI prints three lines of its own about each hook it runs then. The process tells of the exit, except on Windows.
  ...(process.platform !== "win32" && { matchers: new Map([["SessionEnd", "clear"]]) }),
  commandOf: ({ command }) => readShellLine(command),
  notes: () => ["Start Gemini CLI anew: it reads its settings only at its start."],

  trouble(file, { hooksConfig }) {
    const { enabled, disabled } = (typeof hooksConfig === "object" && hooksConfig !== null ? hooksConfig : {}) as {
      enabled?: unknown;
      disabled?: unknown;
    };
    if (enabled === false)
      return {
        status: "disabled",
        problem: `"hooksConfig" › "enabled" is off in ${file}, so Gemini CLI runs no hook.`,
        advice: "Take it out of the file.",
      };
    if (Array.isArray(disabled) && disabled.includes(NAME))
      return {
        status: "disabled",
        problem: `moth stands in "hooksConfig" › "disabled" of ${file}.`,
        advice: `In Gemini CLI: /hooks enable ${NAME}`,
      };
    return undefined;
  },

  otherWays: (_settings, file) => {
    // With its files in it, or with a note of where they are.
    const folder = join(dirname(file), "extensions", "moth");
    return existsSync(folder) ? [`extension ${folder}`] : [];
  },
};

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
