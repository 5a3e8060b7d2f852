/**
 * One word in a list of a YAML settings file, put in and taken out by the places of the nodes: comments, order, indents, quotes and
 * line ends stay. Every edit is read again, and done only when it says what it should and nothing else changed.
 */
import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, isScalar, isSeq, type Pair, parseAllDocuments, type YAMLMap, type YAMLSeq } from "yaml";
import { PlanError } from "./plan-error.ts";

export interface YamlList {
  /** For messages. */
  file: string;
  /** The list's name, and that of the block it stands in. */
  block: string;
  list: string;
  word: string;
}

export interface YamlEdit {
  text: string;
  /** Which of the two names moth wrote. */
  made: readonly string[];
}

/** Whether the word stands in the list. @throws PlanError when the file is no YAML */
export function hasWord(text: string, target: YamlList): boolean {
  return placeOf(find(text, target), target) >= 0;
}

/** @throws PlanError */
export function addWord(text: string, target: YamlList): YamlEdit {
  const found = find(text, target);
  if (placeOf(found, target) >= 0) return { text, made: [] };
  const { root, block, blockPair, list, listPair } = found;
  const { word } = target;
  const edit = (at: number, what: string, made: readonly string[]): YamlEdit => {
    const edited = { text: text.slice(0, at) + what + text.slice(at), made };
    const after = find(edited.text, target);
    const same = isDeepStrictEqual(values(after), withWord(values(found), target));
    if (!same || takeOut(edited.text, after, target, made) !== text) throw unexpected(target);
    return edited;
  };
  const names = [target.block, target.list];
  if (isSeq(list)) {
    const last = list.items.at(-1);
    if (list.flow) return last ? edit(rangeOf(last)[1], `, ${word}`, []) : edit(rangeOf(list)[0] + 1, word, []);
    const indent = /^([ \t]*)-([ \t]+)/.exec(text.slice(lineStart(text, rangeOf(list)[0])));
    if (!last || !indent) throw unexpected(target);
    return edit(...line(text, rangeOf(last)[1], [`${indent[1]}-${indent[2]}${word}`]), []);
  }
  if (listPair && isEmpty(list)) {
    const indent = indentOf(text, listPair);
    return edit(...line(text, rangeOf(listPair.key)[1], [`${indent}  - ${word}`]), []);
  }
  if (isMap(block) && !list) {
    if (block.flow) {
      const rest = block.items.length > 0 ? ", " : "";
      return edit(rangeOf(block)[0] + 1, `${target.list}: [${word}]${rest}`, [target.list]);
    }
    const [first] = block.items;
    if (!first || !blockPair) throw unexpected(target);
    const indent = indentOf(text, first);
    const lines = [`${indent}${target.list}:`, `${indent}  - ${word}`];
    return edit(...line(text, rangeOf(blockPair.key)[1], lines), [target.list]);
  }
  if (blockPair && isEmpty(block)) {
    const indent = indentOf(text, blockPair);
    const lines = [`${indent}  ${target.list}:`, `${indent}    - ${word}`];
    return edit(...line(text, rangeOf(blockPair.key)[1], lines), [target.list]);
  }
  if (!root || (isMap(root) && !root.flow && !blockPair))
    return edit(...line(text, text.length, [`${target.block}:`, `  ${target.list}:`, `    - ${word}`]), names);
  throw unexpected(target);
}

/** @param made which names moth wrote: they go, too, when nothing else stands in them. @throws PlanError */
export function removeWord(text: string, target: YamlList, made: readonly string[]): string {
  return takeOut(text, find(text, target), target, made);
}

function takeOut(text: string, found: Found, target: YamlList, made: readonly string[]): string {
  const { root, block, blockPair, list, listPair } = found;
  const at = placeOf(found, target);
  if (at < 0) return text;
  if (!isSeq(list) || !isMap(block) || !blockPair || !listPair || !isMap(root)) throw unexpected(target);
  const [from, to] = rangeOf(list.items[at]);
  const alone = list.items.length === 1;
  const aloneInBlock = alone && block.items.length === 1 && made.includes(target.list);
  if (list.flow) {
    if (block.flow && alone && made.includes(target.list)) {
      const next = block.items[block.items.indexOf(listPair) + 1];
      return cut(text, rangeOf(listPair.key)[0], next ? rangeOf(next.key)[0] : rangeOf(list)[1]);
    }
    const before = list.items[at - 1];
    const after = list.items[at + 1];
    if (before) return cut(text, rangeOf(before)[1], to);
    return cut(text, from, after ? rangeOf(after)[0] : to);
  }
  // A comment that came in between is the person's: then only the word goes.
  const bare = (pair: Pair): boolean => !text.slice(rangeOf(pair.key)[0], from).includes("#");
  if (aloneInBlock && made.includes(target.block) && bare(blockPair)) return cutLines(text, rangeOf(blockPair.key)[0], to);
  if (alone && made.includes(target.list) && bare(listPair)) return cutLines(text, rangeOf(listPair.key)[0], to);
  return cutLines(text, from, to);
}

interface Found {
  document: Document | undefined;
  root: unknown;
  blockPair: Pair | undefined;
  block: unknown;
  listPair: Pair | undefined;
  list: unknown;
}

function find(text: string, target: YamlList): Found {
  const document = parse(text, target);
  const root = document?.contents;
  const blockPair = isMap(root) ? pairOf(root, target.block) : undefined;
  const block = blockPair?.value;
  const listPair = isMap(block) ? pairOf(block, target.list) : undefined;
  return { document, root, blockPair, block, listPair, list: listPair?.value };
}

function parse(text: string, { file }: YamlList): Document | undefined {
  const parsed = parseAllDocuments(text);
  const documents = Array.isArray(parsed) ? parsed : [];
  const [error] = documents.flatMap((document) => document.errors);
  if (error) {
    const place = error.linePos?.[0];
    const where = place ? `, line ${place.line}, column ${place.col}` : "";
    const what = error.message.split(/[\r\n]/)[0]?.replace(/ at line .*/, "") ?? "it is no YAML";
    throw new PlanError("UNPARSABLE", `${file}${where}: ${what}. Mend it and try again; moth left it alone.`, {
      file,
      ...(place && { line: place.line, column: place.col }),
    });
  }
  if (documents.length > 1)
    throw new PlanError("UNEXPECTED", `${file} holds more than one YAML document, so moth leaves it alone.`, { file });
  return documents[0];
}

/** Where the word stands in the list; -1: nowhere. */
function placeOf({ list }: Found, { word }: YamlList): number {
  return isSeq(list) ? list.items.findIndex((item) => isScalar(item) && item.value === word) : -1;
}

function values({ document }: Found): unknown {
  return document?.toJS() ?? null;
}

/** What the file should say with the word in it. */
function withWord(value: unknown, { block, list, word }: YamlList): unknown {
  const root = (value ?? {}) as Record<string, unknown>;
  const inner = (root[block] ?? {}) as Record<string, unknown>;
  return { ...root, [block]: { ...inner, [list]: [...((inner[list] ?? []) as unknown[]), word] } };
}

function pairOf(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === name);
}

function isEmpty(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null && node.source === "");
}

function rangeOf(node: unknown): readonly [start: number, end: number] {
  const range = (node as YAMLSeq | undefined)?.range;
  return range ? [range[0], range[1]] : [Number.NaN, Number.NaN];
}

function indentOf(text: string, pair: Pair): string {
  const [start] = rangeOf(pair.key);
  return text.slice(lineStart(text, start), start);
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** Where whole lines go in behind the line of a place, and how they are written there. */
function line(text: string, at: number, lines: readonly string[]): [at: number, what: string] {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const next = text.indexOf("\n", at);
  if (at < text.length && next >= 0) return [next + 1, lines.map((one) => one + end).join("")];
  // A last line that has no end keeps having none.
  if (text === "" || text.endsWith("\n")) return [text.length, lines.map((one) => one + end).join("")];
  return [text.length, lines.map((one) => end + one).join("")];
}

function cut(text: string, from: number, to: number): string {
  return text.slice(0, from) + text.slice(to);
}

function cutLines(text: string, from: number, to: number): string {
  const start = lineStart(text, from);
  const next = text.indexOf("\n", to);
  if (next >= 0) return cut(text, start, next + 1);
  return text.slice(0, start).replace(/\r?\n$/, "");
}

function unexpected({ file, block, list, word }: YamlList): PlanError {
  const message = `${file}: \`${block}.${list}\` is written in a way moth cannot change safely. Add ${word} to it by hand.`;
  return new PlanError("UNEXPECTED", message, { file });
}
