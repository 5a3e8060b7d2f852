/**
 * Codex writes `config.toml` itself when it is asked to trust hooks or to forget that, and not as carefully as moth does (0.171.0):
 * of some files it makes no TOML, of others it loses a comment, the line ends, the modes. So moth looks at what became of the file.
 */
import { chmodSync, rmSync, statSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { backUp } from "../install/backup.ts";
import { PlanError } from "../install/plan-error.ts";
import { encodeText, followLinks, readBytes, readTextFile, type TextFile } from "../install/text-file.ts";
import { parseToml, plain, type TomlValue } from "../install/toml-edit.ts";
import { writeAtomic } from "../install/write-atomic.ts";
import { field } from "./rollout.ts";
import { keepLines } from "./same-lines.ts";

/** What `config.toml` was, and what it is. `undefined`: there is none. */
export interface ConfigChange {
  before: Buffer | undefined;
  after: Buffer | undefined;
  /** Where the earlier contents are kept, when they changed. */
  backup?: string;
}

/** Codex wrote what must not stay. */
export class ConfigDamage extends Error {
  override readonly name = "ConfigDamage";
}

interface Writing {
  file: string;
  /** The hooks whose notes Codex may change. */
  keys: readonly string[];
  /** A file with nothing left in it goes. */
  removeEmpty?: boolean;
  /** Has Codex write. */
  write: () => Promise<void>;
  /** Looks whether Codex takes the file as it is now. @throws Error when not */
  confirm?: () => Promise<void>;
}

/**
 * Has Codex write, with a copy made before. Afterwards the file has its modes, its line ends and every line of the person's; if it
 * cannot have them, it is what it was.
 * @throws PlanError when Codex must not write there; nothing was asked for then
 * @throws ConfigDamage when it had to be put back
 * @throws Error when Codex did not do it
 */
export async function letCodexWrite({ file, keys, removeEmpty, write, confirm }: Writing): Promise<ConfigChange> {
  const { present, value } = readForCodex(file);
  const target = followLinks(file);
  const mode = present && statSync(target).mode & 0o7777;
  const backup = present && backUp(target, present.bytes);
  const dropBackup = (): void => {
    if (backup !== undefined) rmSync(backup, { force: true });
  };
  try {
    await write();
    if (isSame(present?.bytes, readBytes(file))) {
      if (present) replace(target, present.bytes, mode);
    } else {
      const text = tidied(file, { text: present?.text ?? "", value }, keys);
      if (removeEmpty && text.trim() === "") rmSync(target, { force: true });
      else replace(target, encodeText(text, present?.bom ?? false), mode);
    }
    await confirm?.();
  } catch (error) {
    putBack(file, present?.bytes, mode, backup);
    dropBackup();
    throw error;
  }
  const after = readBytes(file);
  const isKept = isSame(present?.bytes, after);
  if (isKept) dropBackup();
  return { before: present?.bytes, after, ...(backup !== undefined && !isKept && { backup }) };
}

/** A file that Codex may be asked to write. @throws PlanError when it is read-only or broken, or one file under several names */
export function readForCodex(file: string): { present: TextFile | undefined; value: TomlValue } {
  const present = readTextFile(file);
  if (present && statSync(file).nlink > 1) {
    const what = `${file} has several names (hard links), and Codex would put a new file under this one.`;
    throw new PlanError("ACCESS", `${what} Make it a file of its own, or a symbolic link, and try again.`, { file });
  }
  return { present, value: parseToml(file, present?.text ?? "") };
}

/** The trust that is noted in a file, by hook. */
export function stateOf(value: TomlValue): Readonly<Record<string, unknown>> | undefined {
  const state = field(value["hooks"], "state");
  return typeof state === "object" && state !== null ? (state as Record<string, unknown>) : undefined;
}

/** What Codex made of the text. @throws Error when that is no TOML, or something of the person's is gone from it */
function tidied(file: string, before: { text: string; value: TomlValue }, keys: readonly string[]): string {
  const written = (readBytes(file)?.toString("utf8") ?? "").replace(/^\uFEFF/, "");
  const damage = (what: string): ConfigDamage =>
    new ConfigDamage(`Codex ${what} ${file} when it wrote there, so moth put back what was in it`);
  try {
    parseToml(file, written);
  } catch (cause) {
    throw Object.assign(damage("made broken TOML of"), { cause });
  }
  const hashes = keys
    .map((key) => field(stateOf(before.value)?.[key], "trusted_hash"))
    .filter((hash) => typeof hash === "string");
  const words = [...keys.map((key) => JSON.stringify(key)), ...hashes];
  const mayGo = (line: string): boolean =>
    words.some((word) => line.includes(word)) || /^\s*\[\s*hooks\s*\.\s*state\s*\]\s*$/.test(line);
  const { text, lost } = keepLines(before.text, written, mayGo);
  if (lost !== undefined) throw damage(`lost the line "${lost.trim()}" of`);
  if (!isDeepStrictEqual(without(before.value, keys), without(parseToml(file, text), keys))) throw damage("changed a setting in");
  return text;
}

/** A file's values but for those notes, and the tables that only they need. */
function without(value: TomlValue, keys: readonly string[]): unknown {
  const copy = plain(value) as Record<string, unknown>;
  const hooks = copy["hooks"] as Record<string, unknown> | undefined;
  if (typeof hooks !== "object") return copy;
  const left = Object.fromEntries(Object.entries(stateOf(copy) ?? {}).filter(([key]) => !keys.includes(key)));
  if (Object.keys(left).length > 0) hooks["state"] = left;
  else delete hooks["state"];
  if (Object.keys(hooks).length === 0) delete copy["hooks"];
  return copy;
}

function replace(target: string, bytes: Buffer, mode: number | undefined): void {
  if (!readBytes(target)?.equals(bytes)) writeAtomic(target, bytes, mode);
  else if (mode !== undefined && (statSync(target).mode & 0o7777) !== mode) chmodSync(target, mode);
}

function putBack(file: string, bytes: Buffer | undefined, mode: number | undefined, backup: string | undefined): void {
  const target = followLinks(file);
  try {
    if (bytes) replace(target, bytes, mode);
    else rmSync(target, { force: true });
  } catch (cause) {
    const where = backup === undefined ? "Look at it" : `What was in it is in ${backup}`;
    throw new Error(`Codex changed ${file}, and it could not be put back. ${where}`, { cause });
  }
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one && other ? one.equals(other) : one === other;
}
