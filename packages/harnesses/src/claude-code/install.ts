/** moth's entries in Claude Code's `settings.json`, in exec form: no shell, so no quoting, on any system. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  addEntries,
  type Edited,
  type Entry,
  type HookTable,
  isBlank,
  readEntries,
  removeEntries,
} from "../install/hook-table.ts";
import { parseDocument } from "../install/jsonc.ts";
import { hookCommand, hookHome, isHookCommand, launcherChanges } from "../install/launcher.ts";
import { ledgerChange, ledgerRemoval, type Note, notedFiles, readLedger, readNoteOf } from "../install/ledger.ts";
import { PlanError } from "../install/plan-error.ts";
import { encodeText, readTextFile, type TextFile } from "../install/text-file.ts";
import type { FileChange, InstallOptions, Plan } from "../types.ts";
import { configDir, isConfigDirLoose } from "./detect.ts";
import { EVENTS, SOURCE } from "./payload.ts";
import { strictProblem } from "./strict.ts";

/** Seconds after which Claude Code would end the hook. It ends by itself within one. */
const TIMEOUT_S = 3;

export function settingsFile(options: InstallOptions): string {
  return join(options.project === undefined ? configDir(options.env) : join(options.project, ".claude"), "settings.json");
}

export function hookTable(options: InstallOptions, platform: string = process.platform): HookTable {
  const entries = EVENTS.map(({ name, async, args = [] }): [string, Entry] => [
    name,
    { type: "command", ...hookCommand(options, [SOURCE, ...args], platform), timeout: TIMEOUT_S, ...(async && { async }) },
  ]);
  return {
    entries: new Map(entries),
    isOurs(value) {
      if (typeof value !== "object" || value === null) return false;
      const { type, command, args } = value as Entry;
      return type === "command" && isHookCommand(command, args, SOURCE);
    },
  };
}

/** @throws PlanError */
export function planHook(options: InstallOptions): Promise<Plan> {
  return Promise.resolve().then(() => {
    const { env } = options;
    const file = settingsFile(options);
    const present = readTextFile(file);
    const table = hookTable(options);
    // Notes count only as long as something of moth's stands in the file: else the person took it out, and made the file anew.
    const homes = present ? homesIn(file, present, table) : [];
    const old = homes.length > 0 ? readNoteOf(env, file, homes) : undefined;
    const edited = addEntries(file, present?.text ?? "", table, old?.made ?? {});
    const note: Note = {
      harness: SOURCE,
      created: old ? old.created : !present,
      folders: old ? old.folders : missingFolders(file),
      made: edited.made,
    };
    const own = launcherChanges(options);
    const change = textChange(file, present, edited.text, countChanges(edited));
    // With notes from before and nothing to change, they hold.
    const noted = change || !readLedger(env)[file] ? ledgerChange(env, file, note) : undefined;
    return plan(
      options,
      "hook",
      [...own, ...(noted ? [noted] : []), ...(change ? [change] : [])],
      [],
      hookNotes(options, file, edited.text),
    );
  });
}

/**
 * Takes moth out of the person's settings and of every other file it was noted for, projects' above all; with a project out of that
 * one's only.
 * @throws PlanError
 */
export function planUnhook(options: InstallOptions): Promise<Plan> {
  return Promise.resolve().then(() => {
    const { env, project } = options;
    const file = settingsFile(options);
    const outs = [takeOut(options, file)];
    const forgotten = [file];
    const notes: string[] = [];
    for (const other of project === undefined ? notedFiles(env, SOURCE, file) : []) {
      try {
        outs.push(takeOut(options, other));
        forgotten.push(other);
      } catch (error) {
        // One project that cannot be changed must not keep moth in all the rest.
        if (!(error instanceof PlanError)) throw error;
        notes.push(`moth stays in ${other}: ${error.message}`);
      }
    }
    const changes = [...outs.map(({ change }) => change), ledgerRemoval(env, forgotten)].filter((change) => change !== undefined);
    return plan(
      options,
      "unhook",
      changes,
      outs.flatMap(({ folders }) => folders),
      notes,
    );
  });
}

function takeOut(options: InstallOptions, file: string): { change?: FileChange; folders: string[] } {
  const present = readTextFile(file);
  if (!present) return { folders: [] };
  const table = hookTable(options);
  const note = readNoteOf(options.env, file, homesIn(file, present, table));
  const edited = removeEntries(file, present.text, table, note?.made);
  const gone = note?.created === true && edited.removed > 0 && isBlank(edited.text);
  const change = textChange(file, present, gone ? undefined : edited.text, countChanges(edited));
  // A file that held nothing but moth's hooks needs no copy, which would keep its folder from going too.
  return { ...(change && { change: { ...change, own: gone } }), folders: gone ? note.folders : [] };
}

function plan(options: InstallOptions, action: Plan["action"], changes: FileChange[], folders: string[], notes: string[]): Plan {
  const again = (): Promise<Plan> => (action === "hook" ? planHook(options) : planUnhook(options));
  return { harness: SOURCE, action, changes, folders, notes, again };
}

/** The moth folders that moth's entries in a file belong to. */
function homesIn(file: string, { text }: TextFile, table: HookTable): string[] {
  if (text.trim() === "") return [];
  const homes = readEntries(parseDocument(file, text), table).map(({ value }) => entryHome(value));
  return [...new Set(homes.filter((home) => home !== undefined))];
}

/** The moth folder that an entry of moth's belongs to. */
export function entryHome(value: unknown): string | undefined {
  const { command, args } = value as Entry;
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
    added > 0 && `adds ${hooks(added)}`,
    changed > 0 && `updates ${hooks(changed)}`,
    removed > 0 && `removes ${hooks(removed)}`,
  ];
  return parts.filter(Boolean).join(", ");
}

function hooks(count: number): string {
  return count === 1 ? "1 hook" : `${count} hooks`;
}

/** Innermost first. */
function missingFolders(file: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(file); !existsSync(folder) && dirname(folder) !== folder; folder = dirname(folder))
    folders.push(folder);
  return folders;
}

function hookNotes(options: InstallOptions, file: string, text: string): string[] {
  const problem = strictProblem(file, text);
  return [
    ...(problem ? [problem] : []),
    ...(options.project === undefined && isConfigDirLoose(options.env)
      ? ["CLAUDE_CONFIG_DIR is no absolute path: Claude Code looks for it from whatever folder it is started in."]
      : []),
    "Sessions that run already pick the hooks up at once.",
  ];
}
