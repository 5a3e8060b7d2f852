import fc from "fast-check";
import { getNodeValue, parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { addEntries, type HookTable, removeEntries } from "./hook-table.ts";
import { parseDocument } from "./jsonc.ts";

const OURS = "/home/someone/.moth/bin/moth-hook";
const entry = (more: object = {}): Record<string, unknown> => ({ type: "command", command: OURS, args: ["h"], ...more });
const table: HookTable = {
  entries: new Map([
    ["Start", entry()],
    ["Stop", entry({ timeout: 3 })],
    ["Tool", entry({ async: true })],
  ]),
  isOurs: (value) => (value as { command?: unknown } | null)?.command === OURS,
};
const add = (text: string, made = {}): ReturnType<typeof addEntries> => addEntries("f.json", text, table, made);
const data = (text: string): unknown => parse(text) as unknown;

/** The text with a member put first, as an editor would. */
function withMember(text: string): string {
  const { root } = parseDocument("f.json", text);
  return `${text.slice(0, root.offset + 1)}"added": 1,${text.slice(root.offset + 1)}`;
}

describe("settings of every shape come back to the byte", () => {
  /** White space, comments and line ends, as a person or an editor leaves them. */
  const gap = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom("", " ", "\n", "\n  ", "\n\n\t") },
    { weight: 2, arbitrary: fc.constantFrom("  ", "\t", "\n    ", "\r\n", "\r\n  ", " \n ") },
    { weight: 1, arbitrary: fc.constantFrom("/* c */", " // c\n", '\n// "hooks": {\n  ', "/*,*/ ", "// x ,\r\n", "/* a\n b */") },
  );
  const scalar = fc.oneof(
    fc.constantFrom("true", "null", "-1.5e3", '"//"', '"\\"[{,"', '"/*"', '""'),
    fc.string({ unit: "grapheme", maxLength: 6 }).map((text) => JSON.stringify(text)),
  );
  const container = (open: string, close: string, items: fc.Arbitrary<string>, max: number): fc.Arbitrary<string> =>
    fc
      .tuple(fc.array(fc.tuple(gap, items, gap), { maxLength: max }), gap, fc.boolean(), gap)
      .map(([list, inner, comma, tail]) => {
        if (list.length === 0) return `${open}${inner}${close}`;
        return `${open}${list.map((parts) => parts.join("")).join(",")}${comma ? "," : ""}${tail}${close}`;
      });
  const pair = (key: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc.tuple(key, gap, gap, value).map(([name, a, b, one]) => `${JSON.stringify(name)}${a}:${b}${one}`);
  const { other } = fc.letrec<{ other: string }>((tie) => ({
    other: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      scalar,
      container("[", "]", tie("other"), 3),
      container("{", "}", pair(fc.constantFrom("a", "b", "hooks", "Stop"), tie("other")), 3),
    ),
  }));
  const command = fc.constantFrom(
    '{"type":"command","command":"beep"}',
    `{"type":"command","command":"${OURS}.sh"}`,
    `{"type": "command", "command": "sh -c '${OURS} h'"}`,
  );
  const group = container("{", "}", pair(fc.constantFrom("hooks"), container("[", "]", command, 2)), 1);
  const list = container("[", "]", fc.oneof(group, fc.constantFrom('{"matcher": "Bash", "hooks": []}', "7")), 3);
  const events = fc
    .shuffledSubarray(["Start", "Stop", "Tool", "Other"])
    .chain((names) =>
      names.length === 0 ? container("{", "}", fc.constant(""), 0) : members(names.map((name) => [name, list])),
    );
  const settings = fc
    .shuffledSubarray(["hooks", "model", "env", "z"])
    .chain((names) =>
      names.length === 0
        ? container("{", "}", fc.constant(""), 0)
        : members(names.map((name) => [name, name === "hooks" ? events : other])),
    );
  function members(pairs: [string, fc.Arbitrary<string>][]): fc.Arbitrary<string> {
    const parts = pairs.map(([name, value]) => fc.tuple(gap, pair(fc.constant(name), value), gap).map((texts) => texts.join("")));
    return fc
      .tuple(fc.tuple(...parts), fc.boolean(), gap)
      .map(([texts, comma, tail]) => `{${texts.join(",")}${comma ? "," : ""}${tail}}`);
  }
  const file = fc.tuple(gap, settings, gap).map((parts) => parts.join(""));
  // Replay one: MOTH_SEED=<seed> MOTH_PATH=<path>, as the failure prints them.
  const { MOTH_SEED: seed, MOTH_PATH: path, MOTH_RUNS: runs } = process.env;
  const options = { seed: Number(seed ?? 20_261_130), numRuns: Number(runs ?? 3000), ...(path !== undefined && { path }) };

  it("hook, hook again, unhook", () => {
    fc.assert(
      fc.property(file, (text) => {
        const before = data(text);
        const hooked = add(text);
        expect(hooked.added).toBe(3);
        // Still JSON, with moth in it and everything else as it was.
        parseDocument("f.json", hooked.text);
        expect(data(removeEntries("f.json", hooked.text, table, hooked.made).text)).toEqual(before);
        expect(add(hooked.text, hooked.made).text).toBe(hooked.text);
        expect(removeEntries("f.json", hooked.text, table, hooked.made).text).toBe(text);
      }),
      options,
    );
  });

  it("also when something else was added in between: that stays", () => {
    fc.assert(
      fc.property(file, (text) => {
        // An empty object is laid out anew by whoever puts the first thing in.
        fc.pre(parseDocument("f.json", text).root.children?.length !== 0);
        const hooked = add(text);
        expect(removeEntries("f.json", withMember(hooked.text), table, hooked.made).text).toBe(withMember(text));
      }),
      { ...options, numRuns: options.numRuns / 3 },
    );
  });
});

describe("others' hooks", () => {
  it("in moth's own group stay when moth goes", () => {
    const hooked = add(`{\n  "a": 1\n}\n`);
    const joined = hooked.text.replace(`"timeout": 3 }]`, `"timeout": 3 }, { "type": "command", "command": "beep" }]`);
    expect(removeEntries("f.json", joined, table, hooked.made).text).toBe(
      `{\n  "a": 1,\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "beep" }] }]\n  }\n}\n`,
    );
  });

  it("that only look like moth's are not moth's", () => {
    const text = `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "${OURS} h"}, {"command": "x${OURS}"}]}]}}`;
    expect(removeEntries("f.json", text, table, undefined)).toMatchObject({ text, removed: 0 });
  });
});

describe("older entries of moth's", () => {
  it("are put right in their place, doubles and forsaken events go", () => {
    const old = `{
  "hooks": {
    "Gone": [{ "hooks": [${JSON.stringify(entry())}] }],
    "Stop": [
      { "hooks": [{ "type": "command", "command": "${OURS}", "args": ["h"], "async": true }, { "type": "command", "command": "beep" }] },
      { "hooks": [${JSON.stringify(entry({ timeout: 3 }))}] }
    ]
  }
}`;
    const { text, added, changed, removed } = add(old);
    expect({ added, changed, removed }).toEqual({ added: 2, changed: 1, removed: 2 });
    expect(text).toBe(`{
  "hooks": {
    "Gone": [],
    "Stop": [
      { "hooks": [{ "type": "command", "command": "${OURS}", "args": ["h"], "timeout": 3 }, { "type": "command", "command": "beep" }] }
    ],
    "Start": [{ "hooks": [{ "type": "command", "command": "${OURS}", "args": ["h"] }] }],
    "Tool": [{ "hooks": [{ "type": "command", "command": "${OURS}", "args": ["h"], "async": true }] }]
  }
}`);
  });

  it("without notes of what moth made, what is empty goes with them", () => {
    const { text } = add(`{\n  "a": 1\n}`);
    expect(removeEntries("f.json", text, table, undefined).text).toBe(`{\n  "a": 1\n}`);
  });
});

describe("what stands in moth's place is left alone, with its place named", () => {
  it.each<[string, string, number]>([
    [`[]`, "settings are an object in braces", 1],
    [`{\n  "hooks": []\n}`, `"hooks" has to be an object`, 2],
    [`{\n  "hooks": null\n}`, `"hooks" has to be an object`, 2],
    [`{\n  "hooks": {\n    "Stop": {}\n  }\n}`, `"Stop" has to be a list`, 3],
  ])("%j", (text, message, line) => {
    expect(() => add(text)).toThrow(
      expect.objectContaining({ code: "UNEXPECTED", line, message: expect.stringContaining(message) as string }),
    );
    expect(() => add(text)).toThrow(/^f\.json:\d+:\d+: .* and try again\.$/);
  });

  it("the last of two tables counts, as for JSON itself", () => {
    const text = `{"hooks": {"Stop": []}, "hooks": {"Other": []}}`;
    const hooked = add(text);
    expect(getNodeValue(parseDocument("f.json", hooked.text).root)).toMatchObject({ hooks: { Other: [], Stop: [{}] } });
    expect(removeEntries("f.json", hooked.text, table, hooked.made).text).toBe(text);
  });
});
