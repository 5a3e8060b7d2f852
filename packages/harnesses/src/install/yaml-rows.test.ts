import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { checkCases } from "../../test/generate/dice.ts";
import { yamlRowsFile } from "../../test/generate/yaml-rows-file.ts";
import { PlanError } from "./plan-error.ts";
import { addRow, hasNoPatches, readRows, removeRows, type YamlRows } from "./yaml-rows.ts";

const ROWS: YamlRows = {
  file: "/home/ada/patch.yml",
  list: "insert",
  row: '{ id: moth, name: ../moth.mjs, disabled: !!js "gone()" }',
  isOurs: ({ name }) => typeof name === "string" && name.endsWith("moth.mjs"),
};
const LINE = '- insert: [{ id: moth, name: ../moth.mjs, disabled: !!js "gone()" }]';
const MINUTES = 5 * 60_000;

describe("a row is put in, and out again to the byte:", () => {
  test.each([
    ["nothing", "", `${LINE}\n`],
    ["comments alone", "# mine\n", `# mine\n${LINE}\n`],
    ["comments without a last line end", "# mine", `# mine\n${LINE}`],
    ["an empty list", "# mine\n[]\n", `# mine\n[{ ${LINE.slice(2)} }]\n`],
    ["an empty list with room in it", "[ ] # none", `[{ ${LINE.slice(2)} } ] # none`],
    ["a list in brackets", "[{ id: a },  # c\n {id: b},\n]\n", `[{ ${LINE.slice(2)} }, { id: a },  # c\n {id: b},\n]\n`],
    ["a list in lines", "# mine\n- id: a\n  disabled: true\n", `# mine\n${LINE}\n- id: a\n  disabled: true\n`],
    ["an indented one with CRLF, no end", "  -   id: a\r\n  - id: b", `  ${LINE}\r\n  -   id: a\r\n  - id: b`],
    ["a text that ends the file", "- id: a\n  note: |\n    text", `${LINE}\n- id: a\n  note: |\n    text`],
  ])("%s", (_name, text, hooked) => {
    expect(addRow(text, ROWS)).toBe(hooked);
    expect(addRow(hooked, ROWS)).toBe(hooked);
    expect(readRows(hooked, ROWS)).toEqual([{ id: "moth", name: "../moth.mjs", disabled: "gone()" }]);
    expect(removeRows(hooked, ROWS)).toBe(text);
  });
});

describe("a row of moth's is known, whoever wrote it anew:", () => {
  test.each([
    ["in lines", "- id: a\n- insert:\n    - id: moth\n      name: /old/moth.mjs\n# end\n", "- id: a\n# end\n"],
    ["beside another", "- insert:\n  - id: moth\n    name: /old/moth.mjs\n  - id: x\n", "- insert:\n  - id: x\n"],
    ["beside another in brackets", "- insert: [{id: x}, {name: a/moth.mjs}]\n", "- insert: [{id: x}]\n"],
    ["twice", `${LINE}\n- id: a\n${LINE}\n`, "- id: a\n"],
  ])("%s", (_name, text, rest) => {
    expect(removeRows(text, ROWS)).toBe(rest);
    expect(addRow(text, ROWS)).toBe(addRow(rest, ROWS));
  });
});

test.each([
  ["a map", "plugins: [moth]\n", /is no list of patches/],
  ["a word", "moth\n", /is no list of patches/],
  ["two documents", "- id: a\n---\n- id: b\n", /more than one YAML document/],
  ["no YAML", "- id: a\n - [\n", /^\/home\/ada\/patch\.yml, line 2, column \d+: /],
])("%s is left alone, with the reason", (_name, text, reason) => {
  for (const act of [addRow, removeRows]) {
    expect(() => act(text, ROWS)).toThrow(PlanError);
    expect(() => act(text, ROWS)).toThrow(reason);
  }
});

test("comments alone are no patches, an empty list is", () => {
  expect(["", "# mine\n", "[]\n", "- id: a\n"].map((text) => hasNoPatches(text, ROWS))).toEqual([true, true, false, false]);
});

test("500 files come back to the byte, and lose nothing while moth is in", { timeout: MINUTES }, () => {
  checkCases(500, (dice, note) => {
    const text = yamlRowsFile(dice);
    note(text);
    const hooked = addRow(text, ROWS);
    note(hooked);
    const [first, ...rest] = parseDocument(hooked, { logLevel: "silent" }).toJS() as unknown[];
    expect(first).toEqual({ insert: [{ id: "moth", name: "../moth.mjs", disabled: "gone()" }] });
    expect(rest).toEqual(parseDocument(text, { logLevel: "silent" }).toJS() ?? []);
    expect(addRow(hooked, ROWS)).toBe(hooked);
    expect(removeRows(hooked, ROWS)).toBe(text);
  });
});
