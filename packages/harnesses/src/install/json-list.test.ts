import { parse } from "jsonc-parser";
import { expect, test } from "vitest";
import { checkCases, type Dice, expectEqual } from "../../test/generate/dice.ts";
import { addItem, hasItem, type JsonList, listItems, removeItem } from "./json-list.ts";

const TARGET: JsonList = { file: "/home/ada/tui.jsonc", list: "plugin", text: "./moth.js" };

const FILES: [why: string, text: string, edited: string][] = [
  ["no text at all", "", '{\n  "plugin": ["./moth.js"]\n}\n'],
  ["no list", '{\n\t"theme": "mine"\n}\n', '{\n\t"theme": "mine",\n\t"plugin": ["./moth.js"]\n}\n'],
  ["an empty list", '{"plugin": [ ]}', '{"plugin": ["./moth.js"]}'],
  ["a list with others", '{"plugin":["a", ["b", {}]]}', '{"plugin":["a", ["b", {}], "./moth.js"]}'],
  ["comments", '// mine\n{ // a\n  "plugin": [] /* b */ }', '// mine\n{ // a\n  "plugin": [\n    "./moth.js"\n  ] /* b */ }'],
];

test.each(FILES)("%s: the text is put in, and taken out to the byte", (_, text, edited) => {
  const added = addItem(text, TARGET);
  expect(added.text).toBe(edited);
  expect(hasItem(text, TARGET)).toBe(false);
  expect(hasItem(added.text, TARGET)).toBe(true);
  expect(addItem(added.text, TARGET)).toEqual({ text: edited, made: {} });
  expect(removeItem(added.text, TARGET, added.made)).toBe(text);
});

test("what came into the list since then stays in it", () => {
  const { text, made } = addItem("{}", TARGET);
  const later = text.replace('"./moth.js"', '"mine", "./moth.js"');
  expect(parse(removeItem(later, TARGET, made))).toEqual({ plugin: ["mine"] });
});

test("two of it go both, and without notes an empty list goes too", () => {
  expect(removeItem('{"a": 1, "plugin": ["./moth.js", "./moth.js"]}', TARGET)).toBe('{"a": 1}');
});

test.each(["[]", '"text"', '{"plugin": 1}', '{"plugin": {}}', "{"])("%s is left alone", (text) => {
  expect(() => addItem(text, TARGET)).toThrow(/tui\.jsonc:1:/);
  expect(() => removeItem(text, TARGET)).toThrow(/tui\.jsonc:1:/);
});

test("holds for every file there can be: it is in once, all else is as it was, and it comes out to the byte", () => {
  const runs = checkCases(10_000, (dice, note) => {
    const text = file(dice);
    note(text);
    const added = addItem(text, TARGET);
    note(added.text);
    const before = listItems(text, TARGET);
    expectEqual(listItems(added.text, TARGET), [...before, TARGET.text]);
    expectEqual(others(added.text), others(text));
    expectEqual(removeItem(added.text, TARGET, added.made), text);
  });
  expect(runs).toBeGreaterThan(0);
});

/** All but the list. */
function others(text: string): unknown {
  const value = (parse(text, [], { allowTrailingComma: true }) ?? {}) as Record<string, unknown>;
  return { ...value, [TARGET.list]: undefined };
}

/** White space and comments of any kind, where they may stand. */
function gap(dice: Dice): string {
  const one = (): string => dice.pick(["", "", " ", "\n", "\t", "  ", "\r\n", "/* c */", "// c\n", "//\r\n"]);
  return one() + one();
}

function file(dice: Dice): string {
  if (dice.once(20)) return dice.pick(["", "\n", "  ", "{}", "{}\n", "{\n}\n", "{ /* mine */ }"]);
  const items = dice.some(['"a"', '["b", {"c": 1}]', '"./other.js"', "7", '"]"']);
  const list = (): string => `"plugin"${gap(dice)}:${gap(dice)}[${joined(dice, items)}]`;
  const members = dice.some(['"theme": "x"', '"keybinds": {"a": ["b"]}', '"n": null', '"plugins": ["./moth.js"]']);
  for (let times = dice.pick([0, 1, 1, 1, 1, 2]); times > 0; times--) members.splice(dice.below(members.length + 1), 0, list());
  return `${gap(dice)}{${joined(dice, members)}}${gap(dice)}`;
}

function joined(dice: Dice, parts: readonly string[]): string {
  const spaced = parts.map((part) => gap(dice) + part + gap(dice));
  return spaced.join(",") + (parts.length > 0 && dice.once(4) ? "," : "") + gap(dice);
}
