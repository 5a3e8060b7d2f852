/**
 * Codex's older way to tell of a turn's end: `notify` in `config.toml`, one program that gets what happened as its last argument
 * (0.171.0; Codex means to remove it). A program that stood there is called by moth's, and stands there again when moth goes.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { hookCommand, isHookCommand, launcherChanges } from "../install/launcher.ts";
import { ledgerChange, ledgerRemoval, type Note, readLedger } from "../install/ledger.ts";
import { PlanError } from "../install/plan-error.ts";
import { missingFolders } from "../install/folders.ts";
import { encodeText, readBytes, readTextFile, type TextFile } from "../install/text-file.ts";
import { type Before, parseToml, restoreTopKey, setTopKey } from "../install/toml-edit.ts";
import type { FileChange, InstallOptions, Plan } from "../types.ts";
import { configDir, configFile } from "./detect.ts";
import { SOURCE } from "./payload.ts";
import { readTrustNote } from "./trust-note.ts";

const KEY = "notify";
/** How notes tell this file from those with hooks. */
const NOTED_AS = `${SOURCE} ${KEY}`;

/** The value of the key when it is moth's: the program behind moth's own words, if any. */
function ourNotify(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || !value.every((word) => typeof word === "string")) return undefined;
  const [command, ...args] = value;
  const at = args.indexOf(KEY);
  return at > 0 && args[at - 1] === SOURCE && isHookCommand(command, args.slice(0, at), SOURCE) ? args.slice(at + 1) : undefined;
}

/** @throws PlanError */
export function planNotify(options: InstallOptions): Plan {
  const { env, project } = options;
  const file = configFile(options);
  if (project !== undefined)
    throw new PlanError("UNEXPECTED", `Codex takes notify from ${file} alone. Leave --project or --legacy-notify out.`, { file });
  const present = readTextFile(file);
  const text = present?.text ?? "";
  const standing = parseToml(file, text)[KEY];
  const chained = ourNotify(standing);
  const others = chained ?? (Array.isArray(standing) ? standing.map(String) : []);
  const { command, args } = hookCommand(options, [SOURCE, KEY]);
  const edited = setTopKey(file, text, KEY, [command, ...args, ...others]);
  const known = chained ? readLedger(env)[file] : undefined;
  const note: Note = known ?? {
    harness: NOTED_AS,
    // Codex itself makes it to note its trust.
    created: !present || readTrustNote(options)?.created === true,
    folders: madeFolders(options),
    made: { [KEY]: edited.before },
  };
  const change = textChange(
    file,
    present,
    edited.text,
    others.length > 0 ? "calls moth, and what was called before" : "calls moth",
  );
  const changes = [...launcherChanges(options), change && ledgerChange(env, file, note), change].filter(
    (one) => one !== undefined,
  );
  return { harness: SOURCE, action: "hook", changes, notes: [], again: () => Promise.resolve().then(() => planNotify(options)) };
}

/** @throws PlanError when moth stands in the file and it cannot be changed */
export function planNoNotify(options: InstallOptions): Plan {
  const { env } = options;
  const file = configFile(options);
  const changes: (FileChange | undefined)[] = [];
  const note = readLedger(env)[file];
  const standing = options.project === undefined ? readNotify(options) : undefined;
  if (standing) {
    const present = readTextFile(file);
    const restored = restoreTopKey(file, present?.text ?? "", KEY, beforeOf(note, standing));
    const gone = note?.created === true && restored.trim() === "";
    const change = textChange(file, present, gone ? undefined : restored, "no longer calls moth");
    if (change) changes.push({ ...change, own: gone });
  }
  if (note && options.project === undefined) changes.push(ledgerRemoval(env, [file]));
  return {
    harness: SOURCE,
    action: "unhook",
    changes: changes.filter((change) => change !== undefined),
    folders: note?.created ? note.folders : [],
    notes: [],
    again: () => Promise.resolve().then(() => planNoNotify(options)),
  };
}

/** What moth's entry calls beside moth; undefined: there is no entry of moth's. @throws PlanError */
export function readNotify(options: InstallOptions): string[] | undefined {
  const file = configFile(options);
  const text = readBytes(file)?.toString("utf8") ?? "";
  // A file without these words is not even parsed: its errors are none of moth's business.
  if (!text.includes(KEY) || !text.includes("moth-hook")) return undefined;
  return ourNotify(parseToml(file, text.replace(/^\uFEFF/, ""))[KEY]);
}

/** Without notes, what moth's entry calls is what stood there. */
function beforeOf(note: Note | undefined, others: readonly string[]): Before {
  const made = note?.made[KEY];
  if (made !== undefined) return made;
  return others.length > 0 ? JSON.stringify(others) : null;
}

/** Codex's folder, if moth makes it now, or made it for its hooks. */
function madeFolders({ env }: InstallOptions): string[] {
  const folder = configDir(env);
  return existsSync(folder)
    ? (readLedger(env)[join(folder, "hooks.json")]?.folders ?? [])
    : missingFolders(join(folder, "config.toml"));
}

function textChange(
  file: string,
  present: TextFile | undefined,
  text: string | undefined,
  summary: string,
): FileChange | undefined {
  if (text === present?.text) return undefined;
  const after = text === undefined ? undefined : encodeText(text, present?.bom ?? false);
  return { file, before: present?.bytes, after, summary };
}
