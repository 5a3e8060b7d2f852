/**
 * moth's entries in a hook table, the shape several harnesses share:
 * `{"hooks": {"<Event>": [{"matcher"?: …, "hooks": [{"type": "command", …}]}]}}`.
 * Only entries recognised as moth's are ever changed; whatever stands beside them, in the same group too, stays.
 */
import { isDeepStrictEqual } from "node:util";
import { type Document, type Node, parseDocument, property, unexpected, valueOf } from "./jsonc.ts";
import { hasComments, insertChild, removeChild, replaceValue } from "./jsonc-edit.ts";

/** What the table is called, unless a harness calls it otherwise. */
const TABLE = "hooks";

/** One hook entry, as the harness's settings spell it. */
export type Entry = Readonly<Record<string, unknown>>;

export interface HookTable {
  /** The entry of each event moth hooks, in order. */
  entries: ReadonlyMap<string, Entry>;
  /** What the group of an event's entry says of when it runs, by the event: `{"matcher": …}`. */
  matchers?: ReadonlyMap<string, string>;
  /** The table's name in the file, when it is not `hooks`. */
  name?: string;
  /** Entries stand in the event's list themselves, in no group. */
  flat?: true;
  /** What a file holds that holds nothing, when it is not `{}`. */
  empty?: string;
  /** Whether a value is an entry of moth's, an older or a moved one too. */
  isOurs(value: unknown): boolean;
}

/**
 * Which containers moth made (`null`) or filled (what stood in them while they were empty), by their path: `hooks`, `hooks/Stop`.
 * `/` is the outermost object, `""` the whole file's text from before there was a value in it.
 */
export type Made = Readonly<Record<string, string | null>>;

/** moth's entry in a file: where, and what it says. */
interface Found {
  event: string;
  /** The event's list, the group in it, and the entry in the group. */
  list: Node;
  group: Node;
  entries: Node;
  entry: Node;
  value: unknown;
  /** False where it does not run as moth means it: under a key that a later one of the same name replaces, in a group for other tools. */
  counts: boolean;
}

/** What a file's text says of moth: each event's entry values, in order; `counts` as in {@link Found}. */
export function readEntries(document: Document, table: HookTable): Pick<Found, "event" | "value" | "counts">[] {
  return find(document, table).map(({ event, value, counts }) => ({ event, value, counts }));
}

/** More than any file needs: an edit that did not take would else be tried for ever. */
const MAX_EDITS = 1000;

export interface Edited {
  text: string;
  made: Made;
  added: number;
  changed: number;
  removed: number;
}

/**
 * Makes the file hold exactly one right entry for each event.
 * @param made what earlier runs made
 * @throws PlanError
 */
export function addEntries(file: string, text: string, table: HookTable, made: Made): Edited {
  const edited: Edited = { text, made: { ...made }, added: 0, changed: 0, removed: 0 };
  if (text.trim() === "") {
    edited.made = { "": text };
    edited.text = table.empty ?? "{}\n";
  }
  // One edit at a time, each on a fresh parse: positions are never carried over.
  for (let edits = 0; edits < MAX_EDITS; edits++) {
    const document = parseDocument(file, edited.text);
    const found = find(document, table);
    if (!mend(document, found, table, edited) && !add(document, found, table, edited)) return edited;
  }
  throw new Error(`moth's hooks in ${file} do not come to rest`);
}

/** Takes every entry of moth's out, and what moth made for it. @throws PlanError */
export function removeEntries(file: string, text: string, table: HookTable, made: Made | undefined): Edited {
  const edited: Edited = { text, made: {}, added: 0, changed: 0, removed: 0 };
  while (edited.removed < MAX_EDITS) {
    const document = parseDocument(file, edited.text);
    const found = find(document, table)[0];
    if (!found) break;
    edited.text = takeOut(document, found, table, made);
    edited.removed++;
  }
  if (edited.removed > 0 && made?.[""] !== undefined && isBlank(edited.text, table)) edited.text = made[""] ?? "";
  return edited;
}

/** Whether nothing is left of a file that moth made. */
export function isBlank(text: string, { empty }: HookTable): boolean {
  return /^\s*\{\s*\}\s*$/.test(text) || text.trim() === "" || text.trim() === empty?.trim();
}

function mend(document: Document, all: readonly Found[], table: HookTable, edited: Edited): boolean {
  const seen = new Set<string>();
  for (const found of all) {
    const wanted = table.entries.get(found.event);
    if (!wanted || !found.counts || seen.has(found.event)) {
      edited.text = takeOut(document, found, table, edited.made);
      edited.removed++;
      return true;
    }
    seen.add(found.event);
    if (isDeepStrictEqual(found.value, wanted)) continue;
    edited.text = replaceValue(document, found.entry, wanted);
    edited.changed++;
    return true;
  }
  return false;
}

function add(document: Document, all: readonly Found[], table: HookTable, edited: Edited): boolean {
  const there = new Set(all.map(({ event }) => event));
  const missing = [...table.entries].filter(([event]) => !there.has(event));
  const [event, entry] = missing[0] ?? [];
  if (event === undefined) return false;
  const made: Record<string, string | null> = edited.made;
  const groupOf = (name: string, one: Entry | undefined): unknown => {
    if (table.flat) return one;
    const matcher = table.matchers?.get(name);
    return { ...(matcher !== undefined && { matcher }), hooks: [one] };
  };
  const group = groupOf(event, entry);
  const put = (container: Node, path: string, key: string | undefined, value: unknown): void => {
    const { text, blank } = insertChild(document, container, key, value);
    edited.text = text;
    if (blank !== undefined && !(path in made)) made[path] = blank;
  };

  if (document.root.type !== "object")
    throw unexpected(document, document.root, "settings are an object in braces, this is not one");
  const { name: tableName = TABLE } = table;
  const hooks = valueOf(property(document.root, tableName));
  if (!hooks) {
    put(document.root, "/", tableName, Object.fromEntries(missing.map(([name, one]) => [name, [groupOf(name, one)]])));
    made["hooks"] = null;
    for (const [name] of missing) made[`hooks/${name}`] = null;
    edited.added += missing.length;
    return true;
  }
  if (hooks.type !== "object") throw unexpected(document, hooks, `"${tableName}" has to be an object, with one list per event`);
  const list = valueOf(property(hooks, event));
  if (!list) {
    put(hooks, "hooks", event, [group]);
    made[`hooks/${event}`] = null;
  } else if (list.type === "array") {
    put(list, `hooks/${event}`, undefined, group);
  } else {
    throw unexpected(document, list, `"${tableName}" › "${event}" has to be a list`);
  }
  edited.added++;
  return true;
}

function find({ root }: Document, table: HookTable): Found[] {
  return members(root, table.name ?? TABLE).flatMap((hooks) =>
    (hooks.value.type === "object" ? members(hooks.value) : []).flatMap((event) =>
      itemsOf(event.value).flatMap((group) =>
        entriesIn(group, event.value, table)
          .map(({ entries, entry, counts }) => ({
            event: event.name,
            list: event.value,
            group,
            entries,
            entry,
            value: plainValue(entry),
            counts: hooks.counts && event.counts && counts && isGroupFor(group, table.matchers?.get(event.name)),
          }))
          .filter(({ value }) => table.isOurs(value)),
      ),
    ),
  );
}

/** The entries of a group; in a flat table each item of the event's list is one. */
function entriesIn(group: Node, list: Node, { flat }: HookTable): Pick<Found, "entries" | "entry" | "counts">[] {
  if (flat) return [{ entries: list, entry: group, counts: true }];
  return members(group, "hooks").flatMap(({ value, counts }) =>
    itemsOf(value).map((entry) => ({ entries: value, entry, counts })),
  );
}

function itemsOf(list: Node): readonly Node[] {
  return list.type === "array" ? (list.children ?? []) : [];
}

/** An object's members, or those of one name; of two with the same name only the last counts. */
function members(object: Node, only?: string): { name: string; value: Node; counts: boolean }[] {
  if (object.type !== "object") return [];
  return (object.children ?? []).flatMap((child) => {
    const [key, value] = child.children ?? [];
    const name = String(key?.value);
    if (!value || (only !== undefined && name !== only)) return [];
    return [{ name, value, counts: property(object, name) === child }];
  });
}

/** jsonc-parser makes objects without a prototype, which are equal to none that has one. */
function plainValue(node: Node): unknown {
  const children = node.children ?? [];
  if (node.type === "array") return children.map(plainValue);
  if (node.type !== "object") return node.value as unknown;
  return Object.fromEntries(
    children.flatMap(({ children: [key, value] = [] }) => (key && value ? [[key.value, plainValue(value)]] : [])) as [
      string,
      unknown,
    ][],
  );
}

/** Whether an earlier member has the same name as this value's: it would count again if this one went. */
function hidesAnother(node: Node): boolean {
  const member = node.parent;
  const all = member?.parent?.children ?? [];
  const name: unknown = member?.children?.[0]?.value;
  return all.slice(0, member && all.indexOf(member)).some((other) => other.children?.[0]?.value === name);
}

/** Whether a group's entries run for what moth wants: for those tools, or for all. */
function isGroupFor(group: Node, matcher: string | undefined): boolean {
  const its: unknown = valueOf(property(group, "matcher"))?.value;
  return matcher === undefined ? its === undefined || its === "" || its === "*" : its === matcher;
}

/** Whether a group says nothing but what moth writes in one. */
function isOwnGroup(group: Node, matcher: string | undefined): boolean {
  return members(group).every(({ name, value }) => name === "hooks" || (name === "matcher" && value.value === matcher));
}

/** Takes out the entry, and around it what is empty then and was moth's: its group, the event's list, the table. */
function takeOut(document: Document, found: Found, table: HookTable, made: Made | undefined): string {
  const { event, list, group, entries, entry } = found;
  const keep = (path: string): string | undefined => made?.[path] ?? undefined;
  // Without notes of an earlier run, what is empty now counts as moth's.
  const ours = (path: string, node: Node): boolean =>
    (made === undefined || made[path] === null) &&
    node.children?.length === 1 &&
    !hasComments(document, node) &&
    !hidesAnother(node);
  if (!table.flat && (entries.children?.length !== 1 || !isOwnGroup(group, table.matchers?.get(event))))
    return removeChild(document, entries, entry);
  if (!ours(`hooks/${event}`, list)) return removeChild(document, list, group, keep(`hooks/${event}`));
  const hooks = list.parent?.parent;
  if (!hooks || !list.parent) return removeChild(document, list, group);
  if (!ours("hooks", hooks)) return removeChild(document, hooks, list.parent, keep("hooks"));
  const root = document.root;
  return hooks.parent ? removeChild(document, root, hooks.parent, keep("/")) : document.text;
}
