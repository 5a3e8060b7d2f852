/**
 * One key at the top of a person's TOML file, with everything around it left as it is to the byte. Positions come from the parser; what
 * is written is checked by parsing it again and by taking it back.
 */
import { isDeepStrictEqual } from "node:util";
import { parse, TomlDocument } from "@decimalturn/toml-patch";
import { placeOf } from "./jsonc.ts";
import { PlanError } from "./plan-error.ts";

export type TomlValue = Readonly<Record<string, unknown>>;

/** @throws PlanError UNPARSABLE with the place of the first error */
export function parseToml(file: string, text: string): TomlValue {
  try {
    return parse(text) as TomlValue;
  } catch (cause) {
    const { line, column = 0, message } = cause as { line?: number; column?: number; message: string };
    const what = message.trim().split("\n").at(-1) ?? "it cannot be read";
    const where = line === undefined ? file : `${file}:${line}:${column + 1}`;
    throw new PlanError("UNPARSABLE", `${where} is not TOML (${what}), so moth leaves it alone. Mend that place and try again.`, {
      file,
      cause,
      ...(line !== undefined && { line, column: column + 1 }),
    });
  }
}

/** What stood in a key's place before: its value's text; `null`: there was no such key. */
export type Before = string | null;

/** Gives the key that value. @throws PlanError */
export function setTopKey(file: string, text: string, key: string, words: readonly string[]): { text: string; before: Before } {
  const value = parseToml(file, text);
  const found = findTopKey(text, key);
  if (!found && Object.hasOwn(value, key)) throw unexpected(file, text, key);
  const array = `[${words.map(quote).join(", ")}]`;
  const edited = found ? replace(text, found.value, array) : insert(text, `${key} = ${array}`);
  const before = found ? text.slice(...found.value) : null;
  const isRight = isDeepStrictEqual(plain(parseToml(file, edited)), plain({ ...value, [key]: words }));
  if (!isRight || restoreTopKey(file, edited, key, before) !== text) throw unexpected(file, text, key);
  return { text: edited, before };
}

/** Gives the key back what stood in its place, or takes its line out. @throws PlanError */
export function restoreTopKey(file: string, text: string, key: string, before: Before): string {
  parseToml(file, text);
  const found = findTopKey(text, key);
  if (!found) return text;
  if (before !== null) {
    const restored = replace(text, found.value, before);
    parseToml(file, restored);
    return restored;
  }
  const start = text.lastIndexOf("\n", found.value[0]) + 1;
  const next = text.indexOf("\n", found.value[1]);
  if (next >= 0) return text.slice(0, start) + text.slice(next + 1);
  return text.slice(0, start).replace(/\r?\n$/, "");
}

/** A word as TOML writes it. */
function quote(word: string): string {
  // What JSON escapes TOML escapes alike, but for DEL.
  return JSON.stringify(word).replaceAll("\u007F", "\\u007F");
}

type Range = [start: number, end: number];

interface Position {
  line: number;
  column: number;
}

interface Block {
  type: string;
  key?: { value?: unknown };
  value?: { loc: { start: Position; end: Position } };
}

function findTopKey(text: string, key: string): { value: Range } | undefined {
  const block = topBlocks(text).find((one) => isDeepStrictEqual(one.key?.value, [key]));
  return block?.value && { value: [offsetOf(text, block.value.loc.start), offsetOf(text, block.value.loc.end)] };
}

/** The key-values before the first table. */
function topBlocks(text: string): Block[] {
  const blocks = [...new TomlDocument(text).cst] as unknown as Block[];
  return blocks.filter(({ type }) => type === "KeyValue");
}

/** A line of its own behind the last key at the top, else at the very beginning. */
function insert(text: string, line: string): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const last = topBlocks(text).at(-1)?.value;
  if (!last) return `${line}${end}${text}`;
  const next = text.indexOf("\n", offsetOf(text, last.loc.end));
  if (next >= 0) return `${text.slice(0, next + 1)}${line}${end}${text.slice(next + 1)}`;
  // A last line that has no end keeps having none.
  return `${text}${end}${line}`;
}

function replace(text: string, [start, end]: Range, what: string): string {
  return text.slice(0, start) + what + text.slice(end);
}

/** @param position line from 1, column from 0 */
function offsetOf(text: string, { line, column }: Position): number {
  let start = 0;
  for (let passed = 1; passed < line; passed++) start = text.indexOf("\n", start) + 1;
  return start + column;
}

/** Dates and big integers as texts, so that values compare. */
export function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, one: unknown) => (typeof one === "bigint" ? `${one}n` : one)));
}

function unexpected(file: string, text: string, key: string): PlanError {
  const { line, column } = placeOf(text, Math.max(0, text.search(new RegExp(`^\\s*\\[*\\s*"?${key}\\b`, "m"))));
  return new PlanError(
    "UNEXPECTED",
    `${file}:${line}:${column}: \`${key}\` is written in a way moth cannot change safely. Change it by hand and try again.`,
    { file, line, column },
  );
}
