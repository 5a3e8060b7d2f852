import { accessSync, constants, existsSync, statSync } from "node:fs";
import type { Env } from "@moth-companion/core/paths";
import { isDeepStrictEqual } from "node:util";
import { getNodeValue } from "jsonc-parser";
import { findProgram } from "../install/find-program.ts";
import { readEntries } from "../install/hook-table.ts";
import { type Document, parseDocument } from "../install/jsonc.ts";
import { launcherChanges, launcherFile, programFile } from "../install/launcher.ts";
import { readLedger } from "../install/ledger.ts";
import { PlanError } from "../install/plan-error.ts";
import { readBytes } from "../install/text-file.ts";
import type { Health, InstallOptions } from "../types.ts";
import { hookTable, settingsFile } from "./install.ts";
import { SOURCE } from "./payload.ts";
import { strictProblem } from "./strict.ts";

const REPAIR = `Run moth hook ${SOURCE} again.`;

/** How moth's hooks in the person's settings are, or in a project's. */
export function health(options: InstallOptions): Promise<Health> {
  return Promise.resolve(look(options));
}

function look(options: InstallOptions): Health {
  const file = settingsFile(options);
  let settings: Settings;
  try {
    settings = readSettings(file, options);
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    const status = readLedger(options.env)[file] ? "broken" : "not-installed";
    return { status, where: status === "broken" ? [file] : [], problem: error.message };
  }
  const where = [...(settings.entries.length > 0 ? [file] : []), ...settings.plugins];
  if (where.length === 0) return { status: "not-installed", where: [] };
  if (options.project !== undefined) where.push(...otherWays(options));
  const strict = strictProblem(file, settings.text);
  if (strict) return { status: "broken", where, problem: strict, advice: "Take it out; the rest can stay as it is." };
  if (settings.disabled)
    return {
      status: "disabled",
      where,
      problem: `"disableAllHooks" is on in ${file}, so Claude Code runs no hook.`,
      advice: "Take it out of the file.",
    };
  if (settings.entries.length > 0) {
    const missing = missingPiece(options, settings.entries);
    if (missing) return { status: "broken", where, problem: missing, advice: REPAIR };
    const old = outdated(options, settings.entries);
    if (old) return { status: "outdated", where, problem: old, advice: REPAIR };
  }
  if (where.length > 1)
    return {
      status: "duplicate",
      where,
      problem: `moth is hooked in ${where.length} ways: every turn is reported as often, and heard once.`,
      advice: "One is enough: take the other out.",
    };
  return { status: "installed", where };
}

interface Settings {
  text: string;
  entries: { event: string; value: unknown }[];
  /** moth's plugins that are switched on, as the person would name them. */
  plugins: string[];
  disabled: boolean;
}

function readSettings(file: string, options: InstallOptions): Settings {
  const text = (readBytes(file)?.toString("utf8") ?? "").replace(/^\uFEFF/, "");
  if (text.trim() === "") return { text, entries: [], plugins: [], disabled: false };
  const document = parseDocument(file, text);
  const value = settingsObject(document);
  return {
    text,
    entries: readEntries(document, hookTable(options)),
    plugins: enabledPlugins(value["enabledPlugins"]),
    disabled: value["disableAllHooks"] === true,
  };
}

function settingsObject({ root }: Document): Record<string, unknown> {
  return root.type === "object" ? (getNodeValue(root) as Record<string, unknown>) : {};
}

/** By the name in the plugin's own manifest. */
function enabledPlugins(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .filter(([name, on]) => name.startsWith("moth@") && on === true)
    .map(([name]) => `plugin ${name}`);
}

/** Ways outside the project's settings by which the same session is heard. */
function otherWays(options: InstallOptions): string[] {
  const person = { ...options };
  delete person.project;
  try {
    const file = settingsFile(person);
    const { entries, plugins } = readSettings(file, person);
    return [...(entries.length > 0 ? [file] : []), ...plugins];
  } catch {
    return [];
  }
}

function missingPiece({ env, node }: InstallOptions, entries: Settings["entries"]): string | undefined {
  // An entry of another installation is outdated, not broken.
  if (!entries.some(({ value }) => isDeepStrictEqual(commandOf(value), process.platform === "win32" ? node : launcherFile(env))))
    return undefined;
  const pieces = process.platform === "win32" ? [programFile(env)] : [launcherFile(env), programFile(env)];
  const odd = pieces.find((piece) => existsSync(piece) && !statSync(piece).isFile());
  if (odd) return `${odd} is not a plain file. Move it away.`;
  const gone = pieces.find((piece) => !existsSync(piece));
  if (gone) return `${gone} is missing, so Claude Code shows an error after every turn.`;
  if (process.platform !== "win32" && !mayRun(launcherFile(env))) return `${launcherFile(env)} may not be run.`;
  if (!existsSync(node) && !findNode(env)) return "there is no Node to run the hook with.";
  return undefined;
}

function findNode(env: Env): string | undefined {
  return findProgram(env, "node");
}

function commandOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? (value as { command?: unknown }).command : undefined;
}

function mayRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function outdated(options: InstallOptions, entries: Settings["entries"]): string | undefined {
  const table = hookTable(options);
  const right = entries.filter(({ event, value }) => isDeepStrictEqual(value, table.entries.get(event)));
  if (right.length !== entries.length || entries.length !== table.entries.size)
    return "moth's hooks in it are of another version.";
  if (launcherChanges(options).length > 0) return "the hook program in moth's folder is of another version.";
  return undefined;
}
