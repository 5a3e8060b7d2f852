/** What hook entries run: moth's launcher, its hook program, and a Node. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import type { InstallOptions } from "../types.ts";
import { findProgram } from "./find-program.ts";
import type { Entry } from "./hook-table.ts";
import { codeFile, launcherFile, launcherNode, programFile } from "./launcher.ts";
import type { SettingsHooks } from "./settings-hooks.ts";
import type { Settings } from "./settings-read.ts";

/** What entries of this moth need and is not there, a sentence. */
export function missingPiece(hooks: SettingsHooks, options: InstallOptions, entries: Settings["entries"]): string | undefined {
  const { env } = options;
  // An entry of another installation is outdated, not broken.
  if (!entries.some(({ value }) => isOfThisMoth(hooks, options, value))) return undefined;
  const program = [programFile(env), codeFile(programFile(env))];
  const pieces = process.platform === "win32" ? program : [launcherFile(env), ...program];
  const odd = pieces.find((piece) => existsSync(piece) && !statSync(piece).isFile());
  if (odd) return `${odd} is not a plain file. Move it away.`;
  const gone = pieces.find((piece) => !existsSync(piece));
  if (gone) return `${gone} is missing, so ${hooks.name} shows an error after every turn.`;
  if (process.platform !== "win32" && !mayRun(launcherFile(env))) return `${launcherFile(env)} may not be run.`;
  const lost = lostNode(hooks, options, entries);
  if (lost === undefined) return undefined;
  if (process.platform === "win32") return `${lost} is missing, so ${hooks.name} shows an error after every turn.`;
  return findProgram(env, "node") ? undefined : "there is no Node to run the hook with.";
}

function isOfThisMoth(hooks: SettingsHooks, { env }: InstallOptions, value: unknown): boolean {
  const { command, args } = commandOf(hooks, value);
  return process.platform === "win32" ? Array.isArray(args) && args[0] === programFile(env) : command === launcherFile(env);
}

/** The Node that was recorded at the hooking, when it is there no more. */
export function lostNode(hooks: SettingsHooks, options: InstallOptions, entries: Settings["entries"]): string | undefined {
  return entries.map(({ value }) => recordedNode(hooks, options, value)).find((node) => !existsSync(node));
}

/** Windows entries name their Node themselves. */
export function recordedNode(hooks: SettingsHooks, { env, node }: InstallOptions, value: unknown): string {
  const { command } = commandOf(hooks, value);
  const recorded = process.platform === "win32" ? command : launcherNode(env);
  return typeof recorded === "string" ? recorded : node;
}

function commandOf(hooks: SettingsHooks, value: unknown): { command?: unknown; args?: unknown } {
  return typeof value === "object" && value !== null ? (hooks.commandOf(value as Entry) ?? {}) : {};
}

function mayRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
