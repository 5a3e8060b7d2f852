/** What moth's edits of JSON settings must hold for every file there can be, with the tables that harnesses really get. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { applyEdits, modify, parse, type ParseError } from "jsonc-parser";
import { expect, test } from "vitest";
import { checkCases, type Dice, expectEqual } from "../../test/generate/dice.ts";
import { jsonFile } from "../../test/generate/json-file.ts";
import { harnesses } from "../registry.ts";
import type { InstallOptions } from "../types.ts";
import { addEntries, type HookTable, type Made, removeEntries } from "./hook-table.ts";
import { parseDocument } from "./jsonc.ts";
import { PlanError } from "./plan-error.ts";
import { hookTable, type SettingsHooks } from "./settings-hooks.ts";

const options: InstallOptions = {
  env: { HOME: "/home/ada lovelace" },
  hookProgram: "",
  findPlugin: String,
  node: "/usr/bin/node",
};
const TABLES = await tablesOfAll();
const OLDER = TABLES.flatMap(({ entries }) => [...entries.values()]).map((entry) => ({ ...entry, timeout: 60 }));
const MINUTES = 5 * 60_000;
const FILE = "/home/ada/settings.json";

/** Of every harness whose hooks stand in a settings file, on each system. */
async function tablesOfAll(): Promise<[HookTable, ...HookTable[]]> {
  const modules = harnesses
    .map(({ id }) => `../${id}/install.ts`)
    .filter((path) => existsSync(join(import.meta.dirname, path)))
    .map(async (path) => (await import(path)) as { settingsHooks?: SettingsHooks });
  const [first, ...rest] = (await Promise.all(modules)).flatMap(({ settingsHooks }) => {
    if (!settingsHooks) return [];
    return ["linux", "win32"].map((platform) => hookTable(settingsHooks, options, platform));
  });
  if (!first) throw new Error("no harness exports its settingsHooks");
  return [first, ...rest];
}

type Fields = Record<string, unknown>;
const add = (text: string, table: HookTable, made: Made = {}): ReturnType<typeof addEntries> =>
  addEntries(FILE, text, table, made);
const remove = (text: string, table: HookTable, made?: Made): string => removeEntries(FILE, text, table, made).text;
const data = (text: string): unknown => JSON.parse(JSON.stringify(parse(text) ?? null)) as unknown;
const isStrict = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The groups of each event, as the harness sees them; in a flat table its entries. */
function groupsOf(value: unknown, { name = "hooks" }: HookTable): Map<string, unknown[]> {
  const hooks = isFields(value) ? value[name] : undefined;
  if (!isFields(hooks)) return new Map();
  return new Map(Object.entries(hooks).filter((pair): pair is [string, unknown[]] => Array.isArray(pair[1])));
}

function entriesOf(value: unknown, table: HookTable): { event: string; entry: unknown; matcher?: unknown }[] {
  return [...groupsOf(value, table)].flatMap(([event, groups]) =>
    groups.flatMap((group) => {
      if (table.flat) return [{ event, entry: group }];
      const { hooks: entries, matcher } = isFields(group) ? group : {};
      return (Array.isArray(entries) ? entries : []).map((entry: unknown) => ({ event, entry, matcher }));
    }),
  );
}

/** What is left when moth's entries are thought away, with what only they kept from being empty. */
function withoutMoth(value: unknown, table: HookTable): unknown {
  const { name = "hooks" } = table;
  if (!isFields(value) || !isFields(value[name])) return value;
  const hooks = Object.entries(value[name]).flatMap(([event, groups]): [string, unknown][] => {
    if (!Array.isArray(groups)) return [[event, groups]];
    const left = groups.flatMap((group: unknown) => {
      if (table.flat) return table.isOurs(group) ? [] : [group];
      const entries = isFields(group) ? group["hooks"] : undefined;
      if (!isFields(group) || !Array.isArray(entries)) return [group];
      const theirs = entries.filter((entry) => !table.isOurs(entry));
      const { hooks: _, ...rest } = group;
      const matcher = table.matchers?.get(event);
      const mine = Object.keys(rest).length === 0 || isDeepStrictEqual(rest, { matcher });
      return theirs.length === 0 && mine ? [] : [{ ...group, hooks: theirs }];
    });
    return left.length === 0 ? [] : [[event, left]];
  });
  const rest = Object.entries(value).filter(([key]) => key !== name);
  return Object.fromEntries(hooks.length === 0 ? rest : [...rest, [name, Object.fromEntries(hooks)]]);
}

/** A harness's table, or what another version of moth hooked: some of its events. */
function anyTable(dice: Dice): HookTable {
  const table = dice.pick(TABLES);
  const some = dice.some([...table.entries]).slice(0, dice.once(5) ? Infinity : 2);
  return some.length === 0 ? table : { ...table, entries: new Map(some) };
}

function expectHooked(value: unknown, table: HookTable): void {
  const mine = entriesOf(value, table).filter(({ entry }) => table.isOurs(entry));
  for (const { event, matcher } of mine) {
    const wanted = table.matchers?.get(event);
    expectEqual((wanted === undefined ? [undefined, "", "*"] : [wanted]).includes(matcher as string), true);
  }
  expectEqual(mine.map(({ event }) => event).toSorted(), [...table.entries.keys()].toSorted());
  for (const { event, entry } of mine) expectEqual(entry, table.entries.get(event));
}

test("10,000 files without moth in them come back to the byte, and lose nothing while moth is in", { timeout: MINUTES }, () => {
  const cases = checkCases(10_000, (dice, note) => {
    const table = anyTable(dice);
    const text = jsonFile(dice, { table });
    note(text);
    const hooked = add(text, table);
    const seen = data(hooked.text);
    expectHooked(seen, table);
    expectEqual(withoutMoth(seen, table), withoutMoth(data(text), table));
    expectEqual(isStrict(hooked.text), isStrict(text));
    expectEqual(add(hooked.text, table, hooked.made).text, hooked.text);
    expectEqual(remove(hooked.text, table, hooked.made), text);
  });
  expect(cases).toBeGreaterThan(0);
});

test(
  "250 files with moth's entries of other versions in them are put right, and nothing of moth is left afterwards",
  { timeout: MINUTES },
  () => {
    const cases = checkCases(250, (dice, note) => {
      const table = anyTable(dice);
      const text = jsonFile(dice, { table, ours: [...table.entries.values(), ...OLDER] });
      note(text);
      const hooked = add(text, table);
      expectHooked(data(hooked.text), table);
      expectEqual(add(hooked.text, table, hooked.made).text, hooked.text);
      for (const made of [hooked.made, undefined]) {
        const left = remove(hooked.text, table, made);
        expectEqual(
          entriesOf(data(left), table).filter(({ entry }) => table.isOurs(entry)),
          [],
        );
        expectEqual(withoutMoth(data(left), table), withoutMoth(data(text), table));
      }
    });
    expect(cases).toBeGreaterThan(0);
  },
);

test("250 files that were changed while moth was in keep those changes when it goes", { timeout: MINUTES }, () => {
  const cases = checkCases(250, (dice, note) => {
    const table = anyTable(dice);
    const text = jsonFile(dice, { table });
    const hooked = add(text, table);
    // An empty object is laid out anew by whoever puts the first thing in.
    if (parseDocument(FILE, text).root.children?.length !== 0)
      expectEqual(remove(withMember(hooked.text), table, hooked.made), withMember(text));
    const edited = edit(dice, hooked.text, table);
    note(edited);
    // The other editor, too, has its days.
    if (!isJson(edited)) return;
    const left = remove(edited, table, hooked.made);
    expectEqual(
      entriesOf(data(left), table).filter(({ entry }) => table.isOurs(entry)),
      [],
    );
    expectEqual(withoutMoth(data(left), table), withoutMoth(data(edited), table));
    expectEqual(isStrict(left) || !isStrict(edited), true);
    const again = add(edited, table, hooked.made);
    expectHooked(data(again.text), table);
    expectEqual(withoutMoth(data(remove(again.text, table, again.made)), table), withoutMoth(data(edited), table));
  });
  expect(cases).toBeGreaterThan(0);
});

function isJson(text: string): boolean {
  const errors: ParseError[] = [];
  parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0;
}

/** The text with a member put first. */
function withMember(text: string): string {
  const { root } = parseDocument(FILE, text);
  return `${text.slice(0, root.offset + 1)}"added": 1,${text.slice(root.offset + 1)}`;
}

/** As the person, an editor or the harness itself changes settings. */
function edit(dice: Dice, text: string, table: HookTable): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: "\n" };
  const set = (path: (string | number)[], value: unknown, more = {}): string =>
    applyEdits(text, modify(text, path, value, { formattingOptions, ...more }));
  const { root } = parseDocument(FILE, text);
  const event = dice.pick(["Other", ...groupsOf(data(text), table).keys()]);
  const list = groupsOf(data(text), table).get(event) ?? [];
  const { name = "hooks", flat } = table;
  const grouped = (entry: object, matcher?: string): object => (flat ? entry : { ...(matcher && { matcher }), hooks: [entry] });
  return dice.pick<() => string>([
    () => set(["model"], "opus"),
    () => set(["model"], undefined),
    () => set([name, event], undefined),
    () => set([name, event, list.length], grouped({ type: "command", command: "beep" }, "x")),
    () => set([name, event, 0], grouped({ command: "beep" }), { isArrayInsertion: list.length > 0 }),
    () => set([name, "Other"], [grouped({ command: "beep" })]),
    () => text.replace(/"hooks"(\s*):(\s*)\[(\s*)(?=\{)/, '"hooks"$1:$2[$3{"command": "beep"}, '),
    () => `${text.slice(0, root.offset + 1)} // more\n ${text.slice(root.offset + 1)} // the end`,
    () => JSON.stringify(data(text), null, dice.pick([2, 0, "\t"])),
  ])();
}

test("250 broken files are refused, with file, line and column", { timeout: MINUTES }, () => {
  const cases = checkCases(250, (dice, note) => {
    const table = anyTable(dice);
    const text = broken(dice, jsonFile(dice, { table }));
    note(text);
    if (isJson(text) || text.trim() === "") return;
    for (const action of [() => add(text, table), () => remove(text, table)]) {
      expect(action).toThrow(PlanError);
      expect(action).toThrow(
        /^\/home\/ada\/settings\.json:\d+:\d+ is not JSON \(.+\), so moth leaves it alone\. Mend that place and try again\.$/,
      );
    }
  });
  expect(cases).toBeGreaterThan(0);
});

function broken(dice: Dice, text: string): string {
  const at = dice.below(text.length);
  return dice.pick<() => string>([
    () => text.slice(0, at),
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.slice(0, at) + dice.pick(['"', "}", "]", "{", ":", ",,", "x", "\u00a0", "'", "/*"]) + text.slice(at),
    () => `${text}${text}`,
    () => text.replaceAll(/[}\]]\s*$/g, ""),
  ])();
}
