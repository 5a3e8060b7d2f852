/** What hook entries run: moth's launcher, its hook program, and a Node. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { findProgram } from "../install/find-program.ts";
import { launcherFile, launcherNode, programFile } from "../install/launcher.ts";
import type { InstallOptions } from "../types.ts";
import type { Settings } from "./read-settings.ts";

/** What entries of this moth need and is not there, a sentence. */
export function missingPiece(options: InstallOptions, entries: Settings["entries"]): string | undefined {
  const { env } = options;
  // An entry of another installation is outdated, not broken.
  if (!entries.some(({ value }) => isOfThisMoth(options, value))) return undefined;
  const pieces = process.platform === "win32" ? [programFile(env)] : [launcherFile(env), programFile(env)];
  const odd = pieces.find((piece) => existsSync(piece) && !statSync(piece).isFile());
  if (odd) return `${odd} is not a plain file. Move it away.`;
  const gone = pieces.find((piece) => !existsSync(piece));
  if (gone) return `${gone} is missing, so Claude Code shows an error after every turn.`;
  if (process.platform !== "win32" && !mayRun(launcherFile(env))) return `${launcherFile(env)} may not be run.`;
  const lost = lostNode(options, entries);
  if (lost === undefined) return undefined;
  if (process.platform === "win32") return `${lost} is missing, so Claude Code shows an error after every turn.`;
  return findProgram(env, "node") ? undefined : "there is no Node to run the hook with.";
}

function isOfThisMoth({ env }: InstallOptions, value: unknown): boolean {
  const { command, args } = entryOf(value);
  return process.platform === "win32" ? Array.isArray(args) && args[0] === programFile(env) : command === launcherFile(env);
}

/** The Node that was recorded at the hooking, when it is there no more. */
export function lostNode(options: InstallOptions, entries: Settings["entries"]): string | undefined {
  return entries.map(({ value }) => recordedNode(options, value)).find((node) => !existsSync(node));
}

/** Windows entries name their Node themselves. */
export function recordedNode({ env, node }: InstallOptions, value: unknown): string {
  const { command } = entryOf(value);
  const recorded = process.platform === "win32" ? command : launcherNode(env);
  return typeof recorded === "string" ? recorded : node;
}

function entryOf(value: unknown): { command?: unknown; args?: unknown } {
  return typeof value === "object" && value !== null ? value : {};
}

function mayRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
