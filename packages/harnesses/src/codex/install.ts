/**
 * moth's entries in Codex's `hooks.json`. Not in `config.toml`, where hooks can stand as well: that is the file Codex itself writes to,
 * and what the person edits most. A hook's trust hangs on its words, so they are the same in every version of moth.
 */
import { dirname, join } from "node:path";
import type { Entry, HookTable } from "../install/hook-table.ts";
import { HOLDS } from "../install/holding.ts";
import { hookCommand } from "../install/launcher.ts";
import {
  hookTable as tableOf,
  planSettingsHook,
  planSettingsUnhook,
  settingsFile,
  type SettingsHooks,
} from "../install/settings-hooks.ts";
import { PlanError } from "../install/plan-error.ts";
import { readShellLine, shellLine } from "../install/shell-line.ts";
import type { InstallOptions, Plan } from "../types.ts";
import { configDir } from "./detect.ts";
import { requestForgetting } from "./forget-trust.ts";
import { planNoNotify, planNotify } from "./notify-install.ts";
import { EVENTS, SOURCE } from "./payload.ts";
import { bothPlans } from "./plans.ts";
import { pluginsIn } from "./plugin.ts";
import { planTrustBack } from "./trust-note.ts";
import { requestTrust } from "./trust.ts";

/** Seconds after which Codex would end the hook. It ends by itself within one; without this, Interrupt would have only one. */
const TIMEOUT_S = 3;
/** The same where it may stand in for a dialog. */
const HELD_S = 24 * 60 * 60;

export const settingsHooks: SettingsHooks = {
  id: SOURCE,
  name: "Codex",
  folder: ".codex",
  file: "hooks.json",
  configDir,
  environment: (file) => `CODEX_HOME=${file.replace(/[\\/][^\\/]*$/, "")}`,
  entries: (options, platform) => {
    const entry = (args: readonly string[], rest: Entry): Entry => {
      const command = hookCommand(options, [SOURCE, ...args], platform);
      // The shell of a session, which on Windows is PowerShell. Codex takes `commandWindows` there, and older versions the other one.
      const line = shellLine(command, platform === "win32" ? "powershell" : "posix");
      return { type: "command", command: line, ...(platform === "win32" && { commandWindows: line }), ...rest };
    };
    const usual = entry([], { timeout: TIMEOUT_S });
    const holding = entry([HOLDS], { timeout: HELD_S, statusMessage: "asked through moth while you are away" });
    return new Map(EVENTS.map(({ name, holds }): [string, Entry] => [name, holds && options.answers ? holding : usual]));
  },
  canHold: true,
  matchers: new Map(EVENTS.flatMap(({ name, matcher }) => (matcher === undefined ? [] : [[name, matcher]]))),
  commandOf: ({ command }) => readShellLine(command),
  notes: () => [],
  trouble: () => undefined,
  otherWays: (_settings, file) => pluginsIn(join(dirname(file), "config.toml")).map((id) => `plugin ${id}`),
};

export function hookTable(options: InstallOptions, platform: string = process.platform): HookTable {
  return tableOf(settingsHooks, options, platform);
}

/** @throws PlanError */
export async function planHook(options: InstallOptions): Promise<Plan> {
  const again = (): Promise<Plan> => planHook(options);
  const forgetting = requestForgetting(options, hookTable(options), settingsFile(settingsHooks, options));
  if (options.legacy) {
    const plan = bothPlans(await planSettingsUnhook(settingsHooks, options), planNotify(options));
    const notes = ["By this way moth hears replies alone: not when a session works, waits or fails.", ...plan.notes];
    return { ...plan, action: "hook", notes, ...(forgetting && { request: forgetting }), again };
  }
  const plan = bothPlans(planNoNotify(options), await planSettingsHook(settingsHooks, options));
  const request = options.trust ? await requestTrust(options, plan.changes.length > 0) : undefined;
  const isNew = plan.changes.some(({ file }) => file === settingsFile(settingsHooks, options));
  const notes = [
    isNew &&
      !request &&
      "Codex runs new hooks only when you trust them: it asks at its next start. Or let moth ask it: moth hook codex --trust",
    isNew && "Codex sessions that run already take the hooks up after /new.",
  ].filter((note) => note !== false);
  return { ...plan, action: "hook", notes: [...plan.notes, ...notes], ...(request && { request }), again };
}

/** @throws PlanError */
export async function planUnhook(options: InstallOptions): Promise<Plan> {
  const file = settingsFile(settingsHooks, options);
  const { restores, ...back } = planTrustBack(options, file);
  const request = restores ? undefined : requestForgetting(options, hookTable(options), file);
  const plan = bothPlans(bothPlans(tryNoNotify(options), back), await planSettingsUnhook(settingsHooks, options));
  return { ...plan, action: "unhook", ...(request && { request }), again: () => planUnhook(options) };
}

/** A file that cannot be changed must not keep moth's hooks in. */
function tryNoNotify(options: InstallOptions): Plan {
  try {
    return planNoNotify(options);
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    const notes = [`moth stays in ${error.file}: ${error.message}`];
    return { harness: SOURCE, action: "unhook", changes: [], notes, again: () => planUnhook(options) };
  }
}
