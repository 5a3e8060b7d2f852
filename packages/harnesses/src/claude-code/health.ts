import { basename, dirname, join } from "node:path";
import { type Env, mothHome, userHome } from "@moth-companion/core/paths";
import { isDeepStrictEqual } from "node:util";
import { launcherChanges } from "../install/launcher.ts";
import { notedFiles, readLedger } from "../install/ledger.ts";
import type { Health, InstallOptions } from "../types.ts";
import { configDir } from "./detect.ts";
import { entryHome, hookTable, settingsFile } from "./install.ts";
import { SOURCE } from "./payload.ts";
import { lostNode, missingPiece, recordedNode } from "./pieces.ts";
import { type Settings, tryRead, waysOf } from "./read-settings.ts";
import { strictProblem } from "./strict.ts";

/** How moth's hooks in the person's settings are, or in a project's. */
export function health(options: InstallOptions): Promise<Health> {
  return Promise.resolve(look(options));
}

function look(options: InstallOptions): Health {
  const { env, project } = options;
  const own = settingsFile(options);
  const files = [own, ...(project === undefined ? notedFiles(env, SOURCE, own) : [])];
  const all = files.map((file) => tryRead(file, options));
  const hooked = all.filter(({ settings }) => settings !== undefined && waysOf(settings).length > 0);
  const where = hooked.flatMap(({ settings }) => waysOf(settings));
  const unread = all.find(({ file, problem }) => problem !== undefined && readLedger(env)[file]);
  if (unread) return { status: "broken", where: [unread.file, ...where], problem: unread.problem ?? "" };
  if (where.length === 0)
    return { status: "not-installed", where, ...(all[0]?.problem !== undefined && { problem: all[0].problem }) };
  if (project !== undefined) where.push(...otherWays(options));
  for (const { settings } of hooked) {
    const trouble = settings && troubleOf(options, settings);
    if (trouble) return { ...trouble, where };
  }
  const read = hooked.flatMap(({ settings }) => settings ?? []);
  const double = doubled(options, read, where);
  if (double) return { ...double, where };
  const lost = lostNode(
    options,
    read.flatMap(({ entries }) => entries),
  );
  return {
    status: "installed",
    where,
    ...(lost !== undefined && {
      problem: `the Node that was there at the hooking is gone (${lost}); another one runs the hooks.`,
      advice: `Run moth hook ${SOURCE} again.`,
    }),
  };
}

function troubleOf(options: InstallOptions, { file, text, entries, disabled }: Settings): Omit<Health, "where"> | undefined {
  const strict = strictProblem(file, text);
  if (strict) return { status: "broken", problem: strict, advice: "Take it out; the rest can stay as it is." };
  if (disabled)
    return {
      status: "disabled",
      problem: `"disableAllHooks" is on in ${file}, so Claude Code runs no hook.`,
      advice: "Take it out of the file.",
    };
  if (entries.length === 0) return undefined;
  const missing = missingPiece(options, entries);
  const advice = `Run ${hookAgain(options, file)} again.`;
  if (missing) return { status: "broken", problem: missing, advice };
  const foreign = entries.map(({ value }) => entryHome(value)).find((home) => home !== mothHome(options.env));
  if (foreign !== undefined)
    return {
      status: "outdated",
      problem: `moth's hooks in ${file} belong to another moth folder, ${foreign}.`,
      advice: `To have them in ${mothHome(options.env)}: ${hookAgain(options, file)}`,
    };
  const old = outdated(options, file, entries);
  return old === undefined ? undefined : { status: "outdated", problem: old, advice };
}

function hookAgain({ env, project }: InstallOptions, file: string): string {
  const command = `moth hook ${SOURCE}`;
  if (project !== undefined || isProject(env, file)) return `${command} --project ${dirname(dirname(file))}`;
  return dirname(file) === configDir(env) ? command : `CLAUDE_CONFIG_DIR=${dirname(file)} ${command}`;
}

/** Whether one session is heard in two ways: by the person's settings and a project's, or by hooks and the plugin. */
function doubled(
  options: InstallOptions,
  hooked: readonly Settings[],
  where: readonly string[],
): Omit<Health, "where"> | undefined {
  const own = hooked.find(({ file }) => file === settingsFile(options));
  const project = hooked.find(({ file }) => options.project === undefined && isProject(options.env, file));
  if (own && project)
    return {
      status: "duplicate",
      problem: `moth is hooked into your settings and into ${project.file}: every turn there is reported twice, and heard once.`,
      advice: `One is enough: moth unhook ${SOURCE} --project ${dirname(dirname(project.file))}`,
    };
  const ways = Math.max(options.project === undefined ? 0 : where.length, ...hooked.map((settings) => waysOf(settings).length));
  if (ways > 1)
    return {
      status: "duplicate",
      problem: `moth is hooked in ${ways} ways: every turn is reported as often, and heard once.`,
      advice: "One is enough: take the other out.",
    };
  return undefined;
}

/** Its settings come on top of the person's; those of another profile come in their place. */
function isProject(env: Env, file: string): boolean {
  const folder = dirname(file);
  return basename(folder) === ".claude" && folder !== join(userHome(env), ".claude") && folder !== configDir(env);
}

/** Ways outside the project's settings by which the same session is heard. */
function otherWays(options: InstallOptions): string[] {
  const person = { ...options };
  delete person.project;
  return waysOf(tryRead(settingsFile(person), person).settings);
}

/** Which Node was recorded is no matter of the version: moth may be run by one Node today and by another tomorrow. */
function outdated(options: InstallOptions, file: string, entries: Settings["entries"]): string | undefined {
  const as = (value: unknown): InstallOptions => ({ ...options, node: recordedNode(options, value) });
  const right = entries.filter(({ event, value }) => isDeepStrictEqual(value, hookTable(as(value)).entries.get(event)));
  if (right.length !== entries.length || entries.length !== hookTable(options).entries.size)
    return `moth's hooks in ${file} are of another version.`;
  if (launcherChanges(as(entries[0]?.value)).length > 0) return "the hook program in moth's folder is of another version.";
  return undefined;
}
