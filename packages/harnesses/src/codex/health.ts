import { join } from "node:path";
import { settingsHealth } from "../install/settings-health.ts";
import { PlanError } from "../install/plan-error.ts";
import { projectOf } from "../install/settings-hooks.ts";
import { readBytes } from "../install/text-file.ts";
import { parseToml } from "../install/toml-edit.ts";
import type { Health, InstallOptions } from "../types.ts";
import { configDir, configFile } from "./detect.ts";
import { settingsHooks } from "./install.ts";
import { readNotify } from "./notify-install.ts";
import { EVENTS, SOURCE } from "./payload.ts";
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
  const listed = await listOurHooks(options, projects);
  if (!listed)
    return {
      ...hooks,
      ...(hooks.problem === undefined && { problem: "Codex could not be asked whether it trusts moth's hooks." }),
    };
  const doubt = judgeTrust(listed, files);
  return doubt ? { ...doubt, where } : hooks;
}

function judgeTrust({ ours, complaints }: OurHooks, where: readonly string[]): Omit<Health, "where"> | undefined {
  const advice = `Start codex and trust them (/hooks), or: moth hook ${SOURCE} --trust`;
  if (ours.length < EVENTS.length * where.length) {
    const why = complaints.length > 0 ? ` (${complaints.join("; ")})` : "";
    return {
      status: "broken",
      problem: `Codex does not see all of moth's hooks in ${where.join(", ")}${why}. It takes nothing from a file with a hook of a kind it does not know, nor from a project it does not trust.`,
      advice: "Look for the one, or trust the other; codex's /hooks lists what it sees.",
    };
  }
  if (ours.some(({ trust }) => trust === "modified"))
    return { status: "modified", problem: "moth's hooks are not those you once trusted, so Codex does not run them.", advice };
  if (!ours.every(isTrusted))
    return { status: "waiting-for-trust", problem: "Codex runs moth's hooks only when you trust them.", advice };
  if (ours.some(({ enabled }) => !enabled))
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
  const file = configFile(options);
  try {
    const text = readBytes(file)
      ?.toString("utf8")
      .replace(/^\uFEFF/, "");
    return field(parseToml(file, text ?? "")["features"], "hooks") === false;
  } catch {
    // Codex itself tells what is wrong with its settings.
    return false;
  }
}
