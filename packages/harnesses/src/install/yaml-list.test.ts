import { describe, expect, test } from "vitest";
import { addWord, hasWord, removeWord, type YamlList } from "./yaml-list.ts";

const TARGET: YamlList = { file: "/home/me/config.yaml", block: "plugins", list: "enabled", word: "moth" };

const cases: [what: string, before: string, after: string][] = [
  ["no file", "", "plugins:\n  enabled:\n    - moth\n"],
  ["only a comment", "# mine\n", "# mine\nplugins:\n  enabled:\n    - moth\n"],
  ["other settings", "model:\n  default: x # why\n", "model:\n  default: x # why\nplugins:\n  enabled:\n    - moth\n"],
  ["no last line end", "model: x", "model: x\nplugins:\n  enabled:\n    - moth"],
  ["an empty block", "plugins:\nmodel: x\n", "plugins:\n  enabled:\n    - moth\nmodel: x\n"],
  ["an empty block with a comment", "plugins: # none\nmodel: x\n", "plugins: # none\n  enabled:\n    - moth\nmodel: x\n"],
  [
    "a block without the list",
    "plugins:\n    disabled: [a]\nmodel: x\n",
    "plugins:\n    enabled:\n      - moth\n    disabled: [a]\nmodel: x\n",
  ],
  ["an empty list", "plugins:\n  enabled: []\n", "plugins:\n  enabled: [moth]\n"],
  ["a list without a value", "plugins:\n  enabled:\n  disabled: [a]\n", "plugins:\n  enabled:\n    - moth\n  disabled: [a]\n"],
  [
    "a list",
    "plugins:\n  enabled:\n    - a # mine\n    - 'b'\n",
    "plugins:\n  enabled:\n    - a # mine\n    - 'b'\n    - moth\n",
  ],
  ["a list without indent", "plugins:\n  enabled:\n  -   a\nmodel: x\n", "plugins:\n  enabled:\n  -   a\n  -   moth\nmodel: x\n"],
  ["a list on one line", "plugins: {enabled: [a, 'b'], other: 1}\n", "plugins: {enabled: [a, 'b', moth], other: 1}\n"],
  ["a list with a last comma", "plugins:\n  enabled: [\n    a,\n  ]\n", "plugins:\n  enabled: [\n    a, moth,\n  ]\n"],
  ["an empty block on one line", "plugins: {}\n", "plugins: {enabled: [moth]}\n"],
  ["a block on one line", "plugins: {disabled: [a]}\n", "plugins: {enabled: [moth], disabled: [a]}\n"],
  [
    "Windows line ends",
    "a: 1\r\nplugins:\r\n  enabled:\r\n    - a\r\n",
    "a: 1\r\nplugins:\r\n  enabled:\r\n    - a\r\n    - moth\r\n",
  ],
  ["Windows line ends, none at the last", "a: 1\r\nb: 2", "a: 1\r\nb: 2\r\nplugins:\r\n  enabled:\r\n    - moth"],
  ["a list at the end without a line end", "plugins:\n  enabled:\n    - a", "plugins:\n  enabled:\n    - a\n    - moth"],
  [
    "comments behind the list",
    "plugins:\n  enabled:\n    - a\n  # b\n# c\n",
    "plugins:\n  enabled:\n    - a\n    - moth\n  # b\n# c\n",
  ],
  ["a document mark", "---\nplugins:\n  enabled:\n    - a\n", "---\nplugins:\n  enabled:\n    - a\n    - moth\n"],
];

describe("one word in a list of a YAML file", () => {
  for (const [what, before, after] of cases) {
    test(`is put in and taken out again: ${what}`, () => {
      const edited = addWord(before, TARGET);
      expect(edited.text).toBe(after);
      expect(hasWord(edited.text, TARGET)).toBe(true);
      expect(addWord(edited.text, TARGET)).toEqual({ text: edited.text, made: [] });
      expect(removeWord(edited.text, TARGET, edited.made)).toBe(before);
    });
  }

  test("is taken out, too, when the harness has written the file anew since", () => {
    const { made } = addWord("plugins: {}\n", TARGET);
    expect(removeWord("plugins:\n  enabled:\n  - moth\nonboarding: 1\n", TARGET, made)).toBe("plugins:\nonboarding: 1\n");
    expect(removeWord("plugins:\n  enabled:\n  - a\n  - moth\n  - b\n", TARGET, made)).toBe(
      "plugins:\n  enabled:\n  - a\n  - b\n",
    );
    expect(removeWord("plugins:\n  enabled: [moth, b]\n", TARGET, made)).toBe("plugins:\n  enabled: [b]\n");
  });

  test("a comment that came in between stays", () => {
    const { text, made } = addWord("", TARGET);
    const noted = text.replace("  enabled:\n", "  enabled:\n# mine\n");
    expect(removeWord(noted, TARGET, made)).toBe("plugins:\n  enabled:\n# mine\n");
  });

  test("what moth did not write stays, although it is empty afterwards", () => {
    expect(removeWord("plugins:\n  enabled:\n    - moth\n", TARGET, [])).toBe("plugins:\n  enabled:\n");
    expect(removeWord("plugins:\n  enabled: [moth]\n", TARGET, [])).toBe("plugins:\n  enabled: []\n");
  });

  test("a file that is no YAML is left alone, with the line", () => {
    expect(() => addWord("model:\n  a: [1\nplugins: x\n", TARGET)).toThrow(
      expect.objectContaining({ name: "PlanError", code: "UNPARSABLE", line: expect.any(Number) as number }) as Error,
    );
  });

  for (const odd of [
    "- a list\n",
    "plugins: all\n",
    "plugins:\n  enabled: all\n",
    "a: 1\n---\nb: 2\n",
    "x: &x [a]\nplugins:\n  enabled: *x\n",
  ]) {
    test(`something unexpected is left alone: ${JSON.stringify(odd)}`, () => {
      expect(() => addWord(odd, TARGET)).toThrow(expect.objectContaining({ name: "PlanError", code: "UNEXPECTED" }) as Error);
    });
  }
});
