/**
 * moth's notes of what it made in other programs' files, so that taking it out gives the same bytes back: an empty list that was there
 * before stays, one that moth made goes. They lie in moth's folder as `hooks.json`.
 */
import { isAbsolute, join, sep } from "node:path";
import { type Env, mothHome } from "@moth-companion/core/paths";
import type { FileChange } from "../types.ts";
import type { Made } from "./hook-table.ts";
import { shortHash } from "../short-hash.ts";
import { readBytes } from "./text-file.ts";

export interface Note {
  harness: string;
  /** Whether moth made the file itself. */
  created: boolean;
  /** Folders moth made for it, innermost first. */
  folders: string[];
  made: Made;
  /** What moth wrote there, as {@link fingerprint} tells it: what differs from it although moth is the same, somebody else changed. */
  wrote?: string;
  /** For a file that its harness itself changed when moth asked it to: fingerprints, and the copy of what was there. */
  asked?: { after: string; before?: string; backup?: string };
  /** The same of each plugin file that came with it: one that is none of these is the person's work by now. */
  plugin?: string[];
}

/** A few letters for what moth writes, to know it again. */
export function fingerprint(...parts: readonly (string | Buffer)[]): string {
  return shortHash(parts.map((part) => (typeof part === "string" ? part : part.toString("latin1"))).join("\n"));
}

/** By the file's absolute path. */
export type Ledger = Readonly<Record<string, Note>>;

/** @param home a moth folder */
export function ledgerFile(home: string): string {
  return join(home, "hooks.json");
}

/** Notes that cannot be read count as none: taking moth out still works, only less exactly. */
export function readLedger(env: Env): Ledger {
  return readLedgerOf(mothHome(env));
}

function readLedgerOf(home: string): Ledger {
  try {
    return parse(readBytes(ledgerFile(home)));
  } catch {
    return {};
  }
}

/**
 * The note of a file, of whichever moth folder put in what stands there: only that one knows what was there before.
 * @param homes the moth folders that the entries in the file belong to
 */
export function readNoteOf(env: Env, file: string, homes: readonly string[]): Note | undefined {
  const own = mothHome(env);
  const others = homes.filter((home) => isAbsolute(home) && home !== own);
  const order = others.length === homes.length ? [...others, own] : [own, ...others];
  return order.map((home) => readLedgerOf(home)[file]).find((note) => note !== undefined);
}

/** Files moth noted for a harness beside the one given: projects' and other profiles'. Sorted; they may be gone. */
export function notedFiles(env: Env, harness: string, except: string): string[] {
  const notes = Object.entries(readLedger(env)).filter(([file, note]) => note.harness === harness && file !== except);
  return notes.map(([file]) => file).toSorted();
}

/** The change that notes something about a file. */
export function ledgerChange(env: Env, file: string, note: Note): FileChange | undefined {
  return ledgerChanges(env, { [file]: note });
}

/** The same for several files. */
export function ledgerChanges(env: Env, notes: Ledger): FileChange | undefined {
  return toLedger(env, { ...readLedger(env), ...notes });
}

/**
 * The change that forgets files. A folder made for one of them that cannot go yet, because another noted file lives in it, goes with
 * that one.
 */
export function ledgerRemoval(env: Env, files: readonly string[]): FileChange | undefined {
  const all = Object.entries(readLedger(env));
  const folders = all.filter(([file]) => files.includes(file)).flatMap(([, note]) => note.folders);
  const kept = all.filter(([file]) => !files.includes(file));
  if (kept.length === all.length) return undefined;
  for (const folder of new Set(folders)) {
    const heir = kept.find(([file]) => file.startsWith(folder + sep))?.[1];
    if (heir && !heir.folders.includes(folder)) heir.folders.push(folder);
  }
  return toLedger(env, Object.fromEntries(kept));
}

function toLedger(env: Env, ledger: Ledger): FileChange | undefined {
  const path = ledgerFile(mothHome(env));
  const before = readBytes(path);
  const after = Object.keys(ledger).length > 0 ? Buffer.from(`${JSON.stringify(ledger, null, 2)}\n`) : undefined;
  if (after ? before?.equals(after) : !before) return undefined;
  return { file: path, before, after, mode: 0o600, own: true, summary: "moth's own notes, for a clean removal" };
}

function parse(bytes: Buffer | undefined): Ledger {
  const value: unknown = JSON.parse(bytes?.toString("utf8") ?? "{}");
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter((pair): pair is [string, Note] => isNote(pair[1])));
}

function isNote(value: unknown): value is Note {
  if (typeof value !== "object" || value === null) return false;
  const { harness, created, folders, made } = value as Partial<Record<keyof Note, unknown>>;
  return (
    typeof harness === "string" &&
    typeof created === "boolean" &&
    Array.isArray(folders) &&
    folders.every((folder) => typeof folder === "string") &&
    typeof made === "object" &&
    made !== null
  );
}
