/**
 * One row in a YAML settings file that is a list of patches, put in and taken out by the places of the nodes: what else stands in the
 * file keeps every byte. Every edit is read again, and done only when it says what it should and nothing else changed.
 */
import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, isSeq, type Node, parseAllDocuments, type YAMLSeq } from "yaml";
import { PlanError } from "./plan-error.ts";

export interface YamlRows {
  /** For messages. */
  file: string;
  /** The list within a patch that holds rows: `insert`. */
  list: string;
  /** The row on one line, as a map in braces. */
  row: string;
  /** Whether a row is moth's, an older one too. */
  isOurs(row: Readonly<Record<string, unknown>>): boolean;
}

/** moth's rows in a file, as they are. @throws PlanError when the file is no such list */
export function readRows(text: string, target: YamlRows): unknown[] {
  return find(text, target).map(({ value }) => value);
}

/** Whether the file holds nothing that its program could read. */
export function hasNoPatches(text: string, target: YamlRows): boolean {
  return rootOf(text, target) === undefined;
}

/** The value of the row that should be there. */
export function wantedRow({ row }: YamlRows): unknown {
  return parseAllDocuments(row)[0]?.toJS();
}

/** Makes the file hold the one right row, as a patch of its own at its beginning. @throws PlanError */
export function addRow(text: string, target: YamlRows): string {
  const present = readRows(text, target);
  if (present.length === 1 && isDeepStrictEqual(present[0], wantedRow(target))) return text;
  const clean = removeRows(text, target);
  const edited = insert(clean, target);
  const before = values(clean, target);
  if (!isDeepStrictEqual(values(edited, target), [{ [target.list]: [wantedRow(target)] }, ...before])) throw unexpected(target);
  if (removeRows(edited, target) !== clean) throw unexpected(target);
  return edited;
}

/** Takes every row of moth's out, and the patches that held nothing else. @throws PlanError */
export function removeRows(text: string, target: YamlRows): string {
  let rest = text;
  let found = find(rest, target);
  // One at a time, each on a fresh parse: places are never carried over.
  for (let first = found[0]; first; first = found[0]) {
    const { rows, patches, patch, row } = first;
    const edited = rows.items.length > 1 ? removeItem(rest, rows, row) : removeItem(rest, patches, patch);
    const left = find(edited, target);
    const same = isDeepStrictEqual(others(edited, target), others(rest, target));
    if (!same || left.length >= found.length) throw unexpected(target);
    rest = edited;
    found = left;
  }
  return rest;
}

interface Found {
  patches: YAMLSeq;
  patch: Node;
  rows: YAMLSeq;
  row: Node;
  value: unknown;
}

function find(text: string, target: YamlRows): Found[] {
  const patches = rootOf(text, target);
  return (patches?.items ?? []).flatMap((patch) => {
    const rows = isMap(patch) ? patch.get(target.list) : undefined;
    if (!isMap(patch) || !isSeq(rows)) return [];
    return rows.items.flatMap((row) => {
      const value: unknown = isMap(row) ? row.toJSON() : undefined;
      if (!isMap(row) || !target.isOurs(value as Readonly<Record<string, unknown>>)) return [];
      return { patches: patches as YAMLSeq, patch, rows, row, value };
    });
  });
}

function insert(text: string, target: YamlRows): string {
  const root = rootOf(text, target);
  const patch = `${target.list}: [${target.row}]`;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  if (!root) {
    const gap = text === "" || text.endsWith("\n") ? "" : end;
    return `${text}${gap}- ${patch}${gap === "" ? end : ""}`;
  }
  const [start] = rangeOf(root);
  if (root.flow) return `${text.slice(0, start + 1)}{ ${patch} }${root.items.length > 0 ? ", " : ""}${text.slice(start + 1)}`;
  const line = lineStart(text, start);
  const indent = text.slice(line, start);
  if (indent.trim() !== "") throw unexpected(target);
  return `${text.slice(0, line)}${indent}- ${patch}${end}${text.slice(line)}`;
}

function removeItem(text: string, list: YAMLSeq, item: Node): string {
  const index = list.items.indexOf(item);
  const [from, to] = rangeOf(item);
  if (list.flow) {
    const comma = /^\s*,[ \t]?/.exec(text.slice(to))?.[0];
    if (comma !== undefined && list.items.length > index + 1) return text.slice(0, from) + text.slice(to + comma.length);
    const previous = list.items[index - 1];
    return text.slice(0, previous ? rangeOf(previous)[1] : from) + text.slice(to);
  }
  // A block's own end may lie behind the line break.
  const end = from + text.slice(from, to).trimEnd().length;
  const start = lineStart(text, from);
  const next = text.indexOf("\n", end);
  if (next >= 0) return text.slice(0, start) + text.slice(next + 1);
  return text.slice(0, start).replace(/\r?\n$/, "");
}

/** What stands in the file beside moth's rows. */
function others(text: string, target: YamlRows): unknown[] {
  return values(text, target).flatMap((patch) => {
    if (typeof patch !== "object" || patch === null) return [patch];
    const rows = (patch as Record<string, unknown>)[target.list];
    if (!Array.isArray(rows)) return [patch];
    const rest = rows.filter((row) => typeof row !== "object" || row === null || !target.isOurs(row as Record<string, unknown>));
    return rest.length === 0 && rows.length > 0 ? [] : [{ ...patch, [target.list]: rest }];
  });
}

function values(text: string, target: YamlRows): unknown[] {
  return (parse(text, target)?.toJS() ?? []) as unknown[];
}

/** @returns undefined when there is nothing in the file, or comments alone */
function rootOf(text: string, target: YamlRows): YAMLSeq | undefined {
  const root = parse(text, target)?.contents;
  if (root === null || root === undefined) return undefined;
  if (isSeq(root)) return root;
  if ((root as { source?: unknown }).source === "") return undefined;
  throw new PlanError("UNEXPECTED", `${target.file} is no list of patches, so moth leaves it alone. Mend it and try again.`, {
    file: target.file,
  });
}

function parse(text: string, { file }: YamlRows): Document | undefined {
  // Tags of the program's own are no errors.
  const parsed = parseAllDocuments(text, { logLevel: "silent" });
  const documents = Array.isArray(parsed) ? parsed : [];
  const [error] = documents.flatMap((document) => document.errors);
  if (error) {
    const place = error.linePos?.[0];
    const where = place ? `, line ${place.line}, column ${place.col}` : "";
    const what = error.message.split("\n")[0]?.replace(/ at line .*/, "") ?? "it is no YAML";
    throw new PlanError("UNPARSABLE", `${file}${where}: ${what}. Mend it and try again; moth left it alone.`, {
      file,
      ...(place && { line: place.line, column: place.col }),
    });
  }
  if (documents.length > 1)
    throw new PlanError("UNEXPECTED", `${file} holds more than one YAML document, so moth leaves it alone.`, { file });
  return documents[0];
}

function rangeOf(node: unknown): readonly [start: number, end: number] {
  const range = (node as Node | undefined)?.range;
  return range ? [range[0], range[1]] : [Number.NaN, Number.NaN];
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

function unexpected({ file, list, row }: YamlRows): PlanError {
  const message = `${file} is written in a way moth cannot change safely. Add this to it by hand: - ${list}: [${row}]`;
  return new PlanError("UNEXPECTED", message, { file });
}
