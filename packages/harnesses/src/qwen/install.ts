/** moth's entries in Qwen Code's `settings.json`. Qwen Code gives their command to a shell (0.24.4). */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Entry } from "../install/hook-table.ts";
import { HOLDS } from "../install/holding.ts";
import { hookCommand } from "../install/launcher.ts";
import { readLedger } from "../install/ledger.ts";
import { settingsHealth } from "../install/settings-health.ts";
import { planSettingsHook, planSettingsUnhook, type SettingsHooks } from "../install/settings-hooks.ts";
import { readShellLine, shellLine } from "../install/shell-line.ts";
import type { Health, InstallOptions, Plan } from "../types.ts";
import { configDir, FOLDER } from "./detect.ts";
import { EVENTS, SOURCE } from "./payload.ts";

/** Milliseconds after which Qwen Code would end the hook. Newer versions take less than 1000 for seconds, older ones do not. */
const TIMEOUT_MS = 3000;
/** The same where it may stand in for a dialog. */
const HELD_MS = 24 * 60 * 60 * 1000;

export const settingsHooks: SettingsHooks = {
  id: SOURCE,
  name: "Qwen Code",
  folder: FOLDER,
  configDir,
  // 0.24.4
  strict: { comments: true, effect: "does not start" },
  environment: (file) => `QWEN_HOME=${dirname(file)}`,

  entries: (options, platform) =>
    new Map(
      EVENTS.map(({ name, async, args: usual = [], holds }): [string, Entry] => {
        const isHolding = holds && options.answers;
        const args = isHolding ? [HOLDS] : usual;
        const timeout = isHolding ? HELD_MS : TIMEOUT_MS;
        const windows = platform === "win32";
        const command = shellLine(hookCommand(options, [SOURCE, ...args], platform), windows ? "powershell" : "posix");
        // Else it would be whichever shell Qwen Code was started from.
        const shell = windows && { shell: "powershell" };
        return [name, { type: "command", name: "moth", command, ...shell, timeout, ...(async && { async }) }];
      }),
    ),
  canHold: true,
  matchers: new Map(EVENTS.flatMap(({ name, matcher }) => (matcher === undefined ? [] : [[name, matcher]]))),
  commandOf: ({ command }) => readShellLine(command),
  notes: () => ["Sessions that run already pick the hooks up when you open /hooks in them; others have them from their start."],

  trouble(file, { disableAllHooks }) {
    if (disableAllHooks !== true) return undefined;
    return {
      status: "disabled",
      problem: `"disableAllHooks" is on in ${file}, so Qwen Code runs no hook.`,
      advice: "Take it out of the file.",
    };
  },

  otherWays: (_settings, file) => {
    const folder = join(dirname(file), "extensions", "moth");
    return existsSync(folder) ? [`extension ${folder}`] : [];
  },
};

/** @throws PlanError */
export function planHook(options: InstallOptions): Promise<Plan> {
  return planSettingsHook(settingsHooks, options);
}

/** @throws PlanError */
export async function planUnhook(options: InstallOptions): Promise<Plan> {
  const plan = await planSettingsUnhook(settingsHooks, options);
  const ledger = readLedger(options.env);
  const gone = plan.changes.filter(
    ({ file, after }) => ledger[file]?.created === true && after && isBareVersion(after.toString()),
  );
  return {
    ...plan,
    changes: plan.changes.map((change) => (gone.includes(change) ? { ...change, after: undefined, own: true } : change)),
    folders: [...(plan.folders ?? []), ...gone.flatMap(({ file }) => ledger[file]?.folders ?? [])],
    again: () => planUnhook(options),
  };
}

/** Nothing is left of a file of moth's but the mark that Qwen Code puts into every one it reads. */
function isBareVersion(text: string): boolean {
  return /^\s*\{\s*"\$version"\s*:\s*\d+\s*\}\s*$/.test(text);
}

export function health(options: InstallOptions): Promise<Health> {
  return Promise.resolve().then(() => settingsHealth(settingsHooks, options));
}
