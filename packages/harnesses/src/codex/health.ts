import { join } from "node:path";
import { settingsHealth } from "../install/settings-health.ts";
import { PlanError } from "../install/plan-error.ts";
import { projectOf } from "../install/settings-hooks.ts";
import type { Health, InstallOptions } from "../types.ts";
import { configDir, configFile } from "./detect.ts";
import { settingsHooks } from "./install.ts";
import { readNotify } from "./notify-install.ts";
import { EVENTS, SOURCE } from "./payload.ts";
import { pluginsIn, readConfig } from "./plugin.ts";
import { field } from "./rollout.ts";
import { isTrusted, listOurHooks, type OurHooks } from "./trust.ts";

/** How moth is hooked in, and whether Codex runs its hooks, as Codex itself says. Codex is asked only when the hooks are as they should be. */
export async function health(options: InstallOptions): Promise<Health> {
  const hooks = settingsHealth(settingsHooks, options);
  const notify = options.project === undefined ? lookAtNotify(options) : undefined;
  if (notify?.problem !== undefined) return { status: "broken", where: hooks.where, problem: notify.problem };
  if (notify) {
    const where = [...hooks.where, notify.file];
    if (hooks.status === "not-installed") return { status: "installed", where };
    return {
      status: "duplicate",
      where,
      problem: "moth is hooked in by hooks and by notify: every turn is reported twice, and heard once.",
      advice: `To have the hooks alone: moth hook ${SOURCE}`,
    };
  }
  if (hooks.status !== "installed" && hooks.status !== "duplicate") return hooks;
  const { where } = hooks;
  if (areOff(options))
    return {
      status: "disabled",
      where,
      problem: `Codex's feature "hooks" is off in ${configFile(options)}, so it runs no hook.`,
      advice: "Take `hooks = false` out of [features] there.",
    };
  // Files of another CODEX_HOME are none of this Codex's.
  const mine = join(configDir(options.env), "hooks.json");
  const projects = where.map((file) => projectOf(settingsHooks, options.env, file)).filter((folder) => folder !== undefined);
  const files = where.filter((file) => file === mine || projectOf(settingsHooks, options.env, file) !== undefined);
  const plugins = pluginsIn(configFile(options)).filter((id) => where.includes(`plugin ${id}`));
  const listed = await listOurHooks(options, projects);
  if (!listed)
    return {
      ...hooks,
      ...(hooks.problem === undefined && { problem: "Codex could not be asked whether it trusts moth's hooks." }),
    };
  const doubt = judgeTrust(listed, files, plugins);
  return doubt ? { ...doubt, where } : hooks;
}

/** @param plugins moth's, by their ids in Codex, which begin the keys of their hooks */
function judgeTrust(
  { hooks, ours, complaints }: OurHooks,
  files: readonly string[],
  plugins: readonly string[],
): Omit<Health, "where"> | undefined {
  const all = [...ours, ...hooks.filter(({ key }) => plugins.some((id) => key.startsWith(`${id}:`)))];
  // Of a plugin's hooks Codex is asked nothing by moth: whoever trusts one trusts all that is in it.
  const byMoth = ours.every(isTrusted) ? "" : `, or: moth hook ${SOURCE} --trust`;
  const advice = `Start codex and trust them (/hooks)${byMoth}`;
  if (all.length < EVENTS.length * (files.length + plugins.length)) {
    const why = complaints.length > 0 ? ` (${complaints.join("; ")})` : "";
    const places = [...files, ...plugins.map((id) => `plugin ${id}`)].join(", ");
    return {
      status: "broken",
      problem: `Codex does not see all of moth's hooks in ${places}${why}. It takes nothing from a file with a hook of a kind it does not know, nor from a project it does not trust.`,
      advice: "Look for the one, or trust the other; codex's /hooks lists what it sees.",
    };
  }
  if (all.some(({ trust }) => trust === "modified"))
    return { status: "modified", problem: "moth's hooks are not those you once trusted, so Codex does not run them.", advice };
  if (!all.every(isTrusted))
    return { status: "waiting-for-trust", problem: "Codex runs moth's hooks only when you trust them.", advice };
  if (all.some(({ enabled }) => !enabled))
    return {
      status: "disabled",
      problem: "some of moth's hooks are switched off in Codex.",
      advice: "Switch them on in codex's /hooks.",
    };
  return undefined;
}

function lookAtNotify(options: InstallOptions): { file: string; problem?: string } | undefined {
  const file = configFile(options);
  try {
    return readNotify(options) ? { file } : undefined;
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return { file, problem: error.message };
  }
}

function areOff(options: InstallOptions): boolean {
  return field(readConfig(configFile(options))["features"], "hooks") === false;
}
