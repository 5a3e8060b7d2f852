import { getNodeValue } from "jsonc-parser";
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

it("an entry in a group for other tools moves to one for moth's", () => {
  const matched: HookTable = { ...table, matchers: new Map([["Tool", "ask"]]) };
  const old = `{"hooks": {"Tool": [{"matcher": "Bash", "hooks": [${JSON.stringify(entry({ async: true }))}, {"command": "beep"}]}]}}`;
  const { text } = addEntries("f.json", old, matched, {});
  expect(getNodeValue(parseDocument("f.json", text).root)).toMatchObject({
    hooks: {
      Tool: [
        { matcher: "Bash", hooks: [{ command: "beep" }] },
        { matcher: "ask", hooks: [entry({ async: true })] },
      ],
    },
  });
});

describe("under a key that a later one of the same name replaces", () => {
  const group = `{ "hooks": [${JSON.stringify(entry({ timeout: 3 }))}] }`;

  it("moth's entry is seen by no harness: it moves to where it counts", () => {
    const { text, added, removed } = add(`{"hooks": {"Stop": [${group}], "Stop": [7]}}`);
    expect({ added, removed }).toEqual({ added: 3, removed: 1 });
    expect(getNodeValue(parseDocument("f.json", text).root)).toMatchObject({ hooks: { Stop: [7, { hooks: [{}] }] } });
  });

  it("something stays so: a table that holds nothing but moth is emptied and left", () => {
    const text = `{"hooks": {"Stop": [7]}, "hooks": {"Stop": [${group}]}}`;
    expect(removeEntries("f.json", text, table, undefined).text).toBe(`{"hooks": {"Stop": [7]}, "hooks": {}}`);
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

describe("an event whose hook runs for some tools only", () => {
  const some: HookTable = { ...table, matchers: new Map([["Tool", "ask_person"]]) };

  it("has a group that says so, and gives the bytes back", () => {
    for (const text of [`{\n  "a": 1\n}\n`, `{"hooks": {"Tool": [{"matcher": "Bash", "hooks": []}]}}`, ""]) {
      const hooked = addEntries("f.json", text, some, {});
      const { hooks } = JSON.parse(hooked.text) as { hooks: Record<string, unknown[]> };
      expect(hooks["Tool"]?.at(-1)).toEqual({ matcher: "ask_person", hooks: [entry({ async: true })] });
      expect(hooks["Stop"]).toEqual([{ hooks: [entry({ timeout: 3 })] }]);
      expect(removeEntries("f.json", hooked.text, some, hooked.made).text).toBe(text);
    }
  });

  it("keeps a group of the person's with the same words when moth goes", () => {
    const hooked = addEntries("f.json", "{}", some, {});
    const mine = hooked.text.replace('"matcher": "ask_person"', '"matcher": "ask_person|Bash"');
    expect(removeEntries("f.json", mine, some, hooked.made).text).toContain('"matcher": "ask_person|Bash"');
  });
});
