import { isDeepStrictEqual } from "node:util";
import { dirname } from "node:path";
import { awayOn } from "@moth-companion/core/config";
import { mothHome } from "@moth-companion/core/paths";
import type { Health, InstallOptions } from "../types.ts";
import { asHeld, holds } from "./holding.ts";
import { lostNode, missingPiece, recordedNode } from "./hook-pieces.ts";
import { launcherChanges } from "./launcher.ts";
import { notedFiles, readLedger } from "./ledger.ts";
import { entryHome, hookTable, projectOf, settingsFile, type SettingsHooks, tableMark } from "./settings-hooks.ts";
import { shellWord } from "./shell-line.ts";
import { strictProblem } from "./strict.ts";
import { type Settings, tryRead, waysOf } from "./settings-read.ts";

/** How moth's hooks in the person's settings are, or in a project's. */
export function settingsHealth(hooks: SettingsHooks, options: InstallOptions): Health {
  const { env, project } = options;
  const own = settingsFile(hooks, options);
  const files = [own, ...(project === undefined ? notedFiles(env, hooks.id, own) : [])];
  const all = files.map((file) => tryRead(hooks, file, options));
  const hooked = all.filter(({ settings }) => settings !== undefined && waysOf(settings).length > 0);
  const where = hooked.flatMap(({ settings }) => waysOf(settings));
  const unread = all.find(({ file, problem }) => problem !== undefined && readLedger(env)[file]);
  if (unread) return { status: "broken", where: [unread.file, ...where], problem: unread.problem ?? "" };
  if (where.length === 0)
    return { status: "not-installed", where, ...(all[0]?.problem !== undefined && { problem: all[0].problem }) };
  if (project !== undefined) where.push(...personsWays(hooks, options));
  for (const { settings } of hooked) {
    const trouble = settings && troubleOf(hooks, options, settings);
    if (trouble) return { ...trouble, where };
  }
  const read = hooked.flatMap(({ settings }) => settings ?? []);
  const double = doubled(hooks, options, read, where);
  if (double) return { ...double, where };
  const lost = lostNode(
    hooks,
    options,
    read.flatMap(({ entries }) => entries),
  );
  const unheld = hooks.canHold && awayOn(env) && read.find(({ entries }) => entries.length > 0 && !holds(hooks, entries));
  if (unheld && lost === undefined)
    return {
      status: "installed",
      where,
      problem: `away is on, but ${hooks.name} goes on asking in its windows: its hooks in ${unheld.file} may not hold what it asks.`,
      advice: `To have them hold it: ${hookAgain(hooks, options, unheld.file)} --answers`,
    };
  return {
    status: "installed",
    where,
    ...(lost !== undefined && {
      problem: `the Node that was there at the hooking is gone (${lost}); another one runs the hooks.`,
      advice: `To have it recorded anew: moth hook ${hooks.id}`,
    }),
  };
}

function troubleOf(hooks: SettingsHooks, asked: InstallOptions, settings: Settings): Omit<Health, "where"> | undefined {
  const { file, text, value, entries } = settings;
  const options = asHeld(hooks, asked, entries);
  const strict = strictProblem(hooks, file, text);
  if (strict !== undefined) return { status: "broken", problem: strict, advice: "Take it out; the rest can stay as it is." };
  const told = hooks.trouble(file, value);
  if (told) return told;
  if (entries.length === 0) return undefined;
  const missing = missingPiece(hooks, options, entries);
  const advice = `To mend that: ${hookAgain(hooks, options, file)}`;
  if (missing) return { status: "broken", problem: missing, advice };
  const foreign = entries.map((entry) => entryHome(hooks, entry.value)).find((home) => home !== mothHome(options.env));
  if (foreign !== undefined)
    return {
      status: "outdated",
      problem: `moth's hooks in ${file} belong to another moth folder, ${foreign}.`,
      advice: `To have them in ${mothHome(options.env)}: ${hookAgain(hooks, options, file)}`,
    };
  const old = outdated(hooks, options, file, entries);
  if (old === undefined) return undefined;
  // This very moth wrote other entries than stand there.
  const changed =
    readLedger(options.env)[file]?.wrote === tableMark(hookTable(hooks, options)) && !areRight(hooks, options, entries);
  if (changed) return { status: "modified", problem: `moth's hooks in ${file} are not as moth wrote them.`, advice };
  return { status: "outdated", problem: old, advice };
}

function hookAgain(hooks: SettingsHooks, { env, project }: InstallOptions, file: string): string {
  const command = `moth hook ${hooks.id}`;
  const its = project ?? projectOf(hooks, env, file);
  if (its !== undefined) return `${command} --project ${shellWord(its)}`;
  const [name = "", ...value] = hooks.environment(file).split("=");
  if (name === "" || dirname(file) === hooks.configDir(env)) return command;
  return `${name}=${shellWord(value.join("="))} ${command}`;
}

/** Whether one session is heard in two ways: by the person's settings and a project's, or by hooks and a plugin. */
function doubled(
  hooks: SettingsHooks,
  options: InstallOptions,
  hooked: readonly Settings[],
  where: readonly string[],
): Omit<Health, "where"> | undefined {
  const own = hooked.find(({ file }) => file === settingsFile(hooks, options));
  for (const { file } of own && options.project === undefined ? hooked : []) {
    const project = projectOf(hooks, options.env, file);
    if (project === undefined) continue;
    return {
      status: "duplicate",
      problem: `moth is hooked into your settings and into ${file}: every turn there is reported twice, and heard once.`,
      advice: `One is enough: moth unhook ${hooks.id} --project ${shellWord(project)}`,
    };
  }
  const ways = Math.max(options.project === undefined ? 0 : where.length, ...hooked.map((settings) => waysOf(settings).length));
  if (ways > 1)
    return {
      status: "duplicate",
      problem: `moth is hooked in ${ways} ways: every turn is reported as often, and heard once.`,
      advice: "One is enough: take the other out.",
    };
  return undefined;
}

/** Ways outside the project's settings by which the same session is heard. */
function personsWays(hooks: SettingsHooks, options: InstallOptions): string[] {
  const person = { ...options };
  delete person.project;
  return waysOf(tryRead(hooks, settingsFile(hooks, person), person).settings);
}

function outdated(hooks: SettingsHooks, options: InstallOptions, file: string, entries: Settings["entries"]): string | undefined {
  if (!areRight(hooks, options, entries)) return `moth's hooks in ${file} are of another version.`;
  const recorded = { ...options, node: recordedNode(hooks, options, entries[0]?.value) };
  return launcherChanges(recorded).length > 0 ? "the hook program in moth's folder is of another version." : undefined;
}

/** Which Node was recorded is no matter of the version: moth may be run by one Node today and by another tomorrow. */
function areRight(hooks: SettingsHooks, options: InstallOptions, entries: Settings["entries"]): boolean {
  const wanted = (event: string, value: unknown): unknown =>
    hookTable(hooks, { ...options, node: recordedNode(hooks, options, value) }).entries.get(event);
  const right = entries.filter(({ event, value, counts }) => counts && isDeepStrictEqual(value, wanted(event, value)));
  return right.length === entries.length && entries.length === hookTable(hooks, options).entries.size;
}
