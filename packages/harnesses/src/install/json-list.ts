/** One text in a list at the top of a JSON settings file, put in and taken out: what else stands in the file keeps every byte. */
import type { Made } from "./hook-table.ts";
import { type Document, type Node, parseDocument, property, unexpected, valueOf } from "./jsonc.ts";
import { hasComments, insertChild, removeChild } from "./jsonc-edit.ts";

export interface JsonList {
  file: string;
  /** The list's name in the file. */
  list: string;
  text: string;
}

/** @throws PlanError when the file is no such settings */
export function hasItem(text: string, target: JsonList): boolean {
  return text.trim() !== "" && find(parseDocument(target.file, text), target) !== undefined;
}

/** What stands in the list, of any kind. @throws PlanError */
export function listItems(text: string, target: JsonList): unknown[] {
  if (text.trim() === "") return [];
  return (listOf(parseDocument(target.file, text), target)?.children ?? []).map((item) => item.value as unknown);
}

/** Puts the text in once. `made` tells `removeItem` what was there before. @throws PlanError */
export function addItem(text: string, target: JsonList): { text: string; made: Made } {
  if (hasItem(text, target)) return { text, made: {} };
  const made: Record<string, string | null> = text.trim() === "" ? { "": text } : {};
  const document = parseDocument(target.file, text.trim() === "" ? "{}\n" : text);
  const list = listOf(document, target);
  const put = (container: Node, path: string, key: string | undefined, value: unknown): string => {
    const inserted = insertChild(document, container, key, value);
    if (inserted.blank !== undefined) made[path] = inserted.blank;
    return inserted.text;
  };
  if (list) return { text: put(list, target.list, undefined, target.text), made };
  made[target.list] = null;
  return { text: put(document.root, "/", target.list, [target.text]), made };
}

/** @param made what `addItem` gave; without it what is empty afterwards counts as moth's. @throws PlanError */
export function removeItem(text: string, target: JsonList, made?: Made): string {
  if (text.trim() === "") return text;
  let rest = text;
  for (;;) {
    const document = parseDocument(target.file, rest);
    const item = find(document, target);
    if (!item) break;
    rest = takeOut(document, item, target, made);
  }
  const before = made?.[""];
  return rest !== text && before !== undefined && isBlank(rest) ? (before ?? "") : rest;
}

/** Whether nothing is left of a file that moth made. */
export function isBlank(text: string): boolean {
  return /^\s*(\{\s*\}\s*)?$/.test(text);
}

function takeOut(document: Document, item: Node, { list: name }: JsonList, made: Made | undefined): string {
  const list = item.parent;
  const member = list?.parent;
  if (!list || !member) return document.text;
  const isOwn = (made === undefined || made[name] === null) && list.children?.length === 1 && !hasComments(document, list);
  // An earlier list of that name would count again.
  const all = document.root.children ?? [];
  const hides = all.filter((other) => other.children?.[0]?.value === name).length > 1;
  if (isOwn && !hides) return removeChild(document, document.root, member, made?.["/"] ?? undefined);
  return removeChild(document, list, item, made?.[name] ?? undefined);
}

function find(document: Document, target: JsonList): Node | undefined {
  return listOf(document, target)?.children?.find((item) => item.value === target.text);
}

function listOf(document: Document, { list: name }: JsonList): Node | undefined {
  const { root } = document;
  if (root.type !== "object") throw unexpected(document, root, "settings are an object in braces, this is not one");
  const list = valueOf(property(root, name));
  if (list && list.type !== "array") throw unexpected(document, list, `"${name}" has to be a list`);
  return list;
}
