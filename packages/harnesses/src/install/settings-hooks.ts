/**
 * moth's entries in the hook table of a harness's `settings.json`: how to put them in and take them out. What differs between harnesses
 * of this kind is in {@link SettingsHooks}.
 */
import { dirname, join, sep } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";
import type { FileChange, Health, InstallOptions, Plan } from "../types.ts";
import { asHeld } from "./holding.ts";
import { addEntries, type Edited, type Entry, type HookTable, isBlank, readEntries, removeEntries } from "./hook-table.ts";
import { missingFolders } from "./folders.ts";
import { parseDocument } from "./jsonc.ts";
import { type HookCommand, hookHome, isHookCommand, launcherChanges } from "./launcher.ts";
import {
  fingerprint,
  type Ledger,
  ledgerChanges,
  ledgerRemoval,
  type Note,
  notedFiles,
  readLedger,
  readNoteOf,
} from "./ledger.ts";
import { PlanError } from "./plan-error.ts";
import { strictProblem, type Strictness } from "./strict.ts";
import { encodeText, readTextFile, type TextFile } from "./text-file.ts";

/** A harness whose hooks stand in a hook table of its `settings.json`. */
export interface SettingsHooks {
  /** The harness's id. */
  id: string;
  /** The harness's name. */
  name: string;
  /** The folder of the settings, in a project and in the person's home: `.claude`. */
  folder: string;
  /** The folder in a project, where it is another one: `.github/hooks`. */
  projectFolder?: string;
  /** The file in it, when it is not `settings.json`. */
  file?: string;
  /** The person's folder of settings, wherever the environment puts it. */
  configDir(env: Env): string;
  /** The environment by which a settings file is the person's: `NAME=value`. */
  environment(file: string): string;
  /** moth's entry of each event, in order. */
  entries(options: InstallOptions, platform: string): ReadonlyMap<string, Entry>;
  /** `answers` puts in hooks that can stand in for its dialog while the person is away. */
  canHold?: true;
  /** Which tools an event's entry runs for, where that is not every one. */
  matchers?: ReadonlyMap<string, string>;
  /** What of JSON the harness reads the file as, where it does not take comments and trailing commas. */
  strict?: Strictness;
  /** How the table stands in the file, where not as `hooks` with groups. */
  shape?: Pick<HookTable, "name" | "flat" | "empty">;
  /** What an entry runs. */
  commandOf(entry: Entry): Partial<Record<keyof HookCommand, unknown>> | undefined;
  /** What the person should know once moth is in the file. */
  notes(options: InstallOptions, file: string): string[];
  /** Why moth's hooks in a file do nothing, as far as the file tells. */
  trouble(file: string, settings: Readonly<Record<string, unknown>>): Omit<Health, "where"> | undefined;
  /** Other ways by which the settings let moth hear the same sessions, as the person would name them. */
  otherWays(settings: Readonly<Record<string, unknown>>, file: string): string[];
}

export function settingsFile(hooks: SettingsHooks, { env, project }: InstallOptions): string {
  const folder = project === undefined ? hooks.configDir(env) : join(project, hooks.projectFolder ?? hooks.folder);
  return join(folder, hooks.file ?? "settings.json");
}

/**
 * The project a file belongs to: its settings come on top of the person's; those of another profile come in their place.
 * @returns undefined for a file of the person's own
 */
export function projectOf(hooks: SettingsHooks, env: Env, file: string): string | undefined {
  const folder = dirname(file);
  if (folder === join(userHome(env), hooks.folder) || folder === hooks.configDir(env)) return undefined;
  const end = sep + join(hooks.projectFolder ?? hooks.folder);
  return folder.endsWith(end) ? folder.slice(0, -end.length) || sep : undefined;
}

export function hookTable(hooks: SettingsHooks, options: InstallOptions, platform: string = process.platform): HookTable {
  return {
    entries: hooks.entries(options, platform),
    ...(hooks.matchers && { matchers: hooks.matchers }),
    ...hooks.shape,
    isOurs(value) {
      if (typeof value !== "object" || value === null || (value as Entry)["type"] !== "command") return false;
      const { command, args } = hooks.commandOf(value as Entry) ?? {};
      return isHookCommand(command, args, hooks.id);
    },
  };
}

/** What moth writes into a table, in a few letters. */
export function tableMark({ entries, matchers = new Map() }: HookTable): string {
  return fingerprint(JSON.stringify([...entries]), JSON.stringify([...matchers]));
}

/** @param beside notes of files that come with the hooks. @throws PlanError */
export function planSettingsHook(hooks: SettingsHooks, options: InstallOptions, beside: Ledger = {}): Promise<Plan> {
  return Promise.resolve().then(() => {
    const { env } = options;
    const file = settingsFile(hooks, options);
    const present = readTextFile(file);
    const table = hookTable(hooks, present ? asHeld(hooks, options, entriesIn(hooks, file, present, options)) : options);
    // Notes count only as long as something of moth's stands in the file: else the person took it out, and made the file anew.
    const homes = present ? homesIn(hooks, file, present, options) : [];
    const old = homes.length > 0 ? readNoteOf(env, file, homes) : undefined;
    const missing = missingFolders(file);
    const edited = addEntries(file, present?.text ?? "", table, old?.made ?? {});
    const note: Note = {
      harness: hooks.id,
      created: old ? old.created : !present,
      folders: old ? old.folders : missing,
      made: edited.made,
      wrote: tableMark(table),
    };
    const own = launcherChanges(options);
    const change = textChange(file, present, edited.text, countChanges(edited));
    const strict = strictProblem(hooks, file, edited.text);
    // With notes from before and nothing to change, they hold.
    const notes = { ...((change || !readLedger(env)[file]) && { [file]: note }), ...beside };
    const noted = Object.keys(notes).length > 0 ? ledgerChanges(env, notes) : undefined;
    return {
      harness: hooks.id,
      action: "hook",
      changes: [...own, ...(noted ? [noted] : []), ...(change ? [change] : [])],
      folders: [],
      notes: [...(strict === undefined ? [] : [strict]), ...hooks.notes(options, file)],
      again: () => planSettingsHook(hooks, options, beside),
    };
  });
}

/**
 * Takes moth out of the person's settings and of every other file it was noted for, projects' above all; with a project out of that
 * one's only.
 * @param beside files that came with the hooks, to be forgotten with them
 * @throws PlanError
 */
export function planSettingsUnhook(hooks: SettingsHooks, options: InstallOptions, beside: readonly string[] = []): Promise<Plan> {
  return Promise.resolve().then(() => {
    const { env, project } = options;
    const file = settingsFile(hooks, options);
    const outs = [takeOut(hooks, options, file)];
    const forgotten = [file, ...beside];
    const notes: string[] = [];
    for (const other of project === undefined ? notedFiles(env, hooks.id, file) : []) {
      try {
        outs.push(takeOut(hooks, options, other));
        forgotten.push(other);
      } catch (error) {
        // One project that cannot be changed must not keep moth in all the rest.
        if (!(error instanceof PlanError)) throw error;
        notes.push(`moth stays in ${other}: ${error.message}`);
      }
    }
    const changes = [...outs.map(({ change }) => change), ledgerRemoval(env, forgotten)];
    return {
      harness: hooks.id,
      action: "unhook",
      changes: changes.filter((change) => change !== undefined),
      folders: outs.flatMap(({ folders }) => folders),
      notes,
      again: () => planSettingsUnhook(hooks, options, beside),
    };
  });
}

function takeOut(hooks: SettingsHooks, options: InstallOptions, file: string): { change?: FileChange; folders: string[] } {
  const present = readTextFile(file);
  // An installer that was killed may have left them.
  if (!present) return { folders: readLedger(options.env)[file]?.folders ?? [] };
  const table = hookTable(hooks, options);
  const note = readNoteOf(options.env, file, homesIn(hooks, file, present, options));
  const edited = removeEntries(file, present.text, table, note?.made);
  const gone = note?.created === true && edited.removed > 0 && isBlank(edited.text, table);
  const change = textChange(file, present, gone ? undefined : edited.text, countChanges(edited));
  // A file that held nothing but moth's hooks needs no copy, which would keep its folder from going too.
  return { ...(change && { change: { ...change, own: gone } }), folders: gone ? note.folders : [] };
}

function entriesIn(hooks: SettingsHooks, file: string, { text }: TextFile, options: InstallOptions): { value: unknown }[] {
  return text.trim() === "" ? [] : readEntries(parseDocument(file, text), hookTable(hooks, options));
}

/** The moth folders that moth's entries in a file belong to. */
function homesIn(hooks: SettingsHooks, file: string, present: TextFile, options: InstallOptions): string[] {
  const homes = entriesIn(hooks, file, present, options).map(({ value }) => entryHome(hooks, value));
  return [...new Set(homes.filter((home) => home !== undefined))];
}

/** The moth folder that an entry of moth's belongs to. */
export function entryHome(hooks: SettingsHooks, value: unknown): string | undefined {
  const { command, args } = hooks.commandOf(value as Entry) ?? {};
  return hookHome(command, args);
}

function textChange(
  file: string,
  present: TextFile | undefined,
  text: string | undefined,
  summary: string,
): FileChange | undefined {
  if (text === (present?.text ?? undefined)) return undefined;
  return {
    file,
    before: present?.bytes,
    after: text === undefined ? undefined : encodeText(text, present?.bom ?? false),
    summary,
  };
}

function countChanges({ added, changed, removed }: Edited): string {
  const parts = [
    added > 0 && `adds ${count(added)}`,
    changed > 0 && `updates ${count(changed)}`,
    removed > 0 && `removes ${count(removed)}`,
  ];
  return parts.filter(Boolean).join(", ");
}

function count(hooks: number): string {
  return hooks === 1 ? "1 hook" : `${hooks} hooks`;
}
