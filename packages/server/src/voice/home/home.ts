/**
 * moth's home, `~/.moth/home`: a diary and notes of a voice that is a model. The model gives names and texts and nothing else; all that is
 * touched is a plain file right in this folder.
 */
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Env, mothHome } from "@moth-companion/core/paths";
import { cleanText } from "@moth-companion/core/text";
import { errorCode } from "../../errors.ts";
import { isLoose, isOwn, writeWhole } from "../../files.ts";
import { appended } from "./diary.ts";
import { fileName } from "./names.ts";

export const DIARY = "diary.md";
/** Stands in a folder that moth made. Where `MOTH_HOME` leads to a folder of the person's, `home` in it may be theirs. */
const MARK = ".made-by-moth";
/** Bytes of the folder, and of one file; files in the folder; characters handed to a model. */
export const MAX_FOLDER: number = 1024 * 1024;
const MAX_FILE: number = 64 * 1024;
const MAX_FILES = 64;
const MAX_READ = 4000;

/** What cannot be done; the message is a short sentence for the model. */
export class HomeError extends Error {}

export interface Home {
  /** The files there are. Empty when the folder cannot be used. */
  names(): string[];
  /** A file's text: the beginning of a long one, of the diary the end. @throws HomeError */
  read(given: string): string;
  /**
   * Adds a dated entry to the diary, or replaces another file; an empty text removes it.
   * @returns what was done, to which file
   * @throws HomeError
   */
  write(given: string, text: string): { file: string; did: "added" | "replaced" | "removed" };
}

/** Opens nothing: the folder is made when something is first written. */
export function createHome(env: Env, now: () => number): Home {
  const folder = join(mothHome(env), "home");

  function read(file: string): string {
    if (!isThere(folder)) throw new HomeError(`There is no ${file} yet.`);
    const text = cleanText(textOf(join(folder, file), file));
    if (text.length <= MAX_READ) return text;
    return file === DIARY ? `…${text.slice(-MAX_READ)}` : `${text.slice(0, MAX_READ)}…`;
  }

  function write(file: string, given: string): "added" | "replaced" | "removed" {
    const path = join(folder, file);
    const text = cleanText(given).trim();
    const isDiary = file === DIARY;
    if (isDiary && text === "") throw new HomeError("An entry needs words; the diary is not taken apart.");
    if (Buffer.byteLength(text) > MAX_FILE / 2) throw new HomeError(`That is too long: ${MAX_FILE / 2048} KB at most.`);
    if (!isThere(folder)) {
      mkdirSync(folder, { mode: 0o700 });
      writeFileSync(join(folder, MARK), "", { flag: "wx", mode: 0o600 });
    }
    const old = look(path);
    if (old && !isPlain(old)) throw new HomeError(`${file} is no plain file.`);
    if (text === "") {
      if (!old) throw new HomeError(`There is no ${file}.`);
      rmSync(path);
      return "removed";
    }
    const whole = isDiary ? appended(old ? textOf(path, file) : "", text, now(), MAX_FILE) : `${text}\n`;
    const all = readdirSync(folder).map((name) => look(join(folder, name)));
    // The mark is one of them.
    if (!old && all.length > MAX_FILES) throw new HomeError(`Your home has ${MAX_FILES} files already. Remove one first.`);
    // The old text lies there until the new one is whole, so both must find room.
    const used = all.reduce((sum, stats) => sum + (stats?.isFile() ? stats.size : 0), 0);
    if (used + Buffer.byteLength(whole) > MAX_FOLDER)
      throw new HomeError("Your home is full. Remove a file first, by writing an empty text to it.");
    writeWhole(path, whole);
    return isDiary ? "added" : "replaced";
  }

  return {
    names() {
      try {
        return isThere(folder)
          ? readdirSync(folder)
              .filter((name) => fileName(name) === name && isPlain(look(join(folder, name))))
              .sort()
          : [];
      } catch {
        return [];
      }
    },
    read: (given) => told(() => read(nameOf(given))),
    write: (given, text) =>
      told(() => {
        const file = nameOf(given);
        return { file, did: write(file, text) };
      }),
  };
}

function nameOf(given: string): string {
  const name = fileName(given);
  if (name === undefined) throw new HomeError("A name is letters, digits, - and _ and ends in .md; there are no folders.");
  return name;
}

/** Whatever the file system says, the model gets a sentence, without the path. */
function told<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof HomeError ? error : new HomeError(`That cannot be done now (${errorCode(error)}).`);
  }
}

/** Whether the folder is there. One that others can look into is closed. @throws HomeError when something else is in its place */
function isThere(folder: string): boolean {
  const stats = look(folder);
  if (!stats) return false;
  if (!stats.isDirectory() || !isOwn(stats) || !look(join(folder, MARK))?.isFile())
    throw new HomeError("Your home cannot be used.");
  if (isLoose(stats)) chmodSync(folder, 0o700);
  return true;
}

/** A file with this one name, of this user: no link of either kind, no pipe, no device. */
function isPlain(stats: Stats | undefined): boolean {
  return stats !== undefined && stats.isFile() && stats.nlink === 1 && isOwn(stats);
}

function textOf(path: string, file: string): string {
  const stats = look(path);
  if (!stats) throw new HomeError(`There is no ${file} yet.`);
  if (!isPlain(stats)) throw new HomeError(`${file} is no plain file.`);
  // Windows has neither of the two.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const descriptor = openSync(path, flags);
  try {
    if (!isPlain(fstatSync(descriptor))) throw new HomeError(`${file} is no plain file.`);
    const bytes = Buffer.alloc(MAX_FILE);
    const length = readSync(descriptor, bytes, 0, MAX_FILE, 0);
    // `stream`: the last character may be cut off where a file is longer.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
  } catch (error) {
    throw error instanceof TypeError ? new HomeError(`${file} is no text.`) : error;
  } finally {
    closeSync(descriptor);
  }
}

function look(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
