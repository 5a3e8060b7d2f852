/** What moth's edit of a list in YAML settings must hold for every file there can be. */
import { expect, test } from "vitest";
import { parseAllDocuments, parseDocument } from "yaml";
import { checkCases, type Dice, expectEqual } from "../../test/generate/dice.ts";
import { yamlFile } from "../../test/generate/yaml-file.ts";
import { PlanError } from "./plan-error.ts";
import { addWord, hasWord, removeWord, type YamlEdit, type YamlList } from "./yaml-list.ts";

const LIST: YamlList = { file: "/home/ada/config.yaml", block: "plugins", list: "enabled", word: "moth" };
const MINUTES = 5 * 60_000;

/** What the file says without the word, and without a list and block that hold nothing else. */
function withoutMoth(text: string): unknown {
  const root = (parseDocument(text, { uniqueKeys: false }).toJS() ?? {}) as Record<string, unknown>;
  const { plugins, ...rest } = root;
  if (plugins === null || plugins === undefined) return rest;
  const { enabled, ...others } = plugins as Record<string, unknown>;
  const left = Array.isArray(enabled) ? enabled.filter((word) => word !== "moth") : (enabled ?? []);
  if (Array.isArray(left) && left.length === 0) return Object.keys(others).length === 0 ? rest : { ...rest, plugins: others };
  return { ...rest, plugins: { ...others, enabled: left } };
}

/** @returns undefined when the file is refused, as it must be: with a reason, and a place where there is one */
function tryAdd(text: string): YamlEdit | undefined {
  try {
    return addWord(text, LIST);
  } catch (error) {
    expect(error).toBeInstanceOf(PlanError);
    expect((error as PlanError).message).toMatch(
      /^\/home\/ada\/config\.yaml.*(moth left it alone\.|leaves it alone\.|by hand\.)$/,
    );
    return undefined;
  }
}

test("10,000 files come back to the byte, and lose nothing while moth is in", { timeout: MINUTES }, () => {
  let cases = 0;
  let edited = 0;
  checkCases(10_000, (dice, note) => {
    const text = yamlFile(dice, LIST);
    note(text);
    cases++;
    const hooked = tryAdd(text);
    if (!hooked) return;
    edited++;
    expectEqual(withoutMoth(hooked.text), withoutMoth(text));
    // It stands there: nothing is left to do.
    expectEqual(addWord(hooked.text, LIST), { text: hooked.text, made: [] });
    expectEqual(removeWord(hooked.text, LIST, hooked.made), text);
  });
  // Being refused is for what nobody writes.
  expect(edited / cases).toBeGreaterThan(cases < 100 ? -1 : 0.8);
});

test("250 files that were changed while moth was in keep those changes when it goes", { timeout: MINUTES }, () => {
  const cases = checkCases(250, (dice, note) => {
    const hooked = tryAdd(yamlFile(dice, LIST));
    if (!hooked) return;
    note(hooked.text);
    const changed = edit(dice, hooked.text);
    note(changed);
    if (parseAllDocuments(changed).some(({ errors }) => errors.length > 0)) return;
    const left = removeWord(changed, LIST, hooked.made);
    expectEqual(hasWord(left, LIST), false);
    expectEqual(withoutMoth(left), withoutMoth(changed));
    expectEqual(commentsOf(left), commentsOf(changed));
  });
  expect(cases).toBeGreaterThan(0);
});

/** As the person, or the harness itself, changes settings. */
function edit(dice: Dice, text: string): string {
  const document = parseDocument(text);
  const change = (path: string[], value: unknown): string => {
    document.setIn(path, document.createNode(value));
    return String(document);
  };
  const lines = text.split(/(?<=\n)/);
  const at = dice.below(lines.length);
  return dice.pick<() => string>([
    () => String(document),
    () => change(["added"], { a: [1] }),
    () => change(["plugins", "enabled"], ["first", "moth", "last"]),
    () => change(["plugins", "enabled"], ["moth"]),
    () => change(["plugins", "added"], 1),
    () => JSON.stringify(document.toJS(), null, dice.pick([0, 2])),
    () => `# edit\n${text}`,
    () => [...lines.slice(0, at), "# edit\n", ...lines.slice(at)].join(""),
    () => text.replace(/^(\s*)- moth$/m, "$1- before\n$1- moth\n$1- after"),
    () => text.replace(/\bmoth\b(?=[,\]])/, "before, moth, after"),
  ])();
}

function commentsOf(text: string): number {
  return text.match(/# edit/g)?.length ?? 0;
}

test("250 broken files are refused, with file, line and column", { timeout: MINUTES }, () => {
  const cases = checkCases(250, (dice, note) => {
    const whole = yamlFile(dice, LIST);
    const at = dice.below(whole.length);
    const text = whole.slice(0, at) + dice.pick(["[", "}", '"', "'", "\t", "- ", ": ", "&", "@", "!!"]) + whole.slice(at);
    const errors = parseAllDocuments(text).flatMap((document) => document.errors);
    if (errors.length === 0) return;
    note(text);
    for (const action of [() => addWord(text, LIST), () => removeWord(text, LIST, [])]) {
      expect(action).toThrow(PlanError);
      expect(action).toThrow(/^\/home\/ada\/config\.yaml, line \d+, column \d+: .+ Mend it and try again; moth left it alone\.$/);
    }
  });
  expect(cases).toBeGreaterThan(0);
});
