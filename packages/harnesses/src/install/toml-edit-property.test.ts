/** What moth's edit of a key in TOML settings must hold for every file there can be. */
import { parse } from "@decimalturn/toml-patch";
import { expect, test } from "vitest";
import { checkCases, type Dice, expectEqual } from "../../test/generate/dice.ts";
import { tomlFile } from "../../test/generate/toml-file.ts";
import { PlanError } from "./plan-error.ts";
import { restoreTopKey, setTopKey } from "./toml-edit.ts";

const FILE = "/home/ada/.codex/config.toml";
const KEY = "notify";
const WORDS = ["/home/ada lovelace/it's/.moth/bin/moth-hook", "codex", "notify", 'C:\\beep "loud".exe'];
/** What may stand there already. */
const OWN = [
  'notify = ["beep"]',
  'notify = [ # beeps\n  "beep", # loud\n  "it\'s",\n]',
  "\"notify\" = ['a', 'b']",
  "notify=[]",
  "'notify' = 'beep'",
  "notify . on = true",
];
const MINUTES = 5 * 60_000;

type Fields = Readonly<Record<string, unknown>>;
const set = (text: string): ReturnType<typeof setTopKey> => setTopKey(FILE, text, KEY, WORDS);
const data = (text: string): Fields =>
  JSON.parse(JSON.stringify(parse(text), (_key, one: unknown) => (typeof one === "bigint" ? String(one) : one))) as Fields;

/** @returns undefined when the file is refused, as it must be: with the place */
function trySet(text: string): ReturnType<typeof setTopKey> | undefined {
  try {
    return set(text);
  } catch (error) {
    expect(error).toBeInstanceOf(PlanError);
    expect((error as PlanError).message).toMatch(/^\/home\/ada\/\.codex\/config\.toml:\d+:\d+: .* by hand and try again\.$/);
    return undefined;
  }
}

test("10,000 files come back to the byte, and lose nothing while moth is in", { timeout: MINUTES }, () => {
  let cases = 0;
  let edited = 0;
  checkCases(10_000, (dice, note) => {
    const text = tomlFile(dice, OWN);
    note(text);
    cases++;
    const before = data(text);
    const hooked = trySet(text);
    if (!hooked) return;
    edited++;
    note(hooked.text);
    expectEqual(data(hooked.text), { ...before, [KEY]: WORDS });
    expectEqual(set(hooked.text).text, hooked.text);
    expectEqual(restoreTopKey(FILE, hooked.text, KEY, hooked.before), text);
  });
  // Being refused is for what nobody writes.
  expect(edited / cases).toBeGreaterThan(cases < 100 ? -1 : 0.85);
});

test("250 files that were changed while moth was in keep those changes when it goes", { timeout: MINUTES }, () => {
  const cases = checkCases(250, (dice, note) => {
    const text = tomlFile(dice, OWN);
    const hooked = trySet(text);
    if (!hooked) return;
    note(hooked.text);
    const changed = edit(dice, hooked.text);
    note(changed);
    const left = data(restoreTopKey(FILE, changed, KEY, hooked.before));
    const { [KEY]: _, ...rest } = data(changed);
    const was = data(text)[KEY];
    expectEqual(left, was === undefined ? rest : { ...rest, [KEY]: was });
  });
  expect(cases).toBeGreaterThan(0);
});

/** As the person, or the harness itself, changes settings. */
function edit(dice: Dice, text: string): string {
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  return dice.pick<() => string>([
    () => `added = 1 # mine\n${text}`,
    () => `# notify = ["no"]\n\n${text}`,
    () => `${text}${end}\n[added]\nnotify = ["other"]\n`,
    () => text.replace(/\r\n/g, "\n"),
  ])();
}

test("250 broken files are refused, with file, line and column", { timeout: MINUTES }, () => {
  const cases = checkCases(250, (dice, note) => {
    const whole = tomlFile(dice, OWN);
    const at = dice.below(whole.length + 1);
    const text = whole.slice(0, at) + dice.pick(["[", "}", '"', "=", "\u0000", "'''", "x", "\n=\n"]) + whole.slice(at);
    if (isToml(text)) return;
    note(text);
    for (const action of [() => set(text), () => restoreTopKey(FILE, text, KEY, null)]) {
      expect(action).toThrow(PlanError);
      expect(action).toThrow(
        /^\/home\/ada\/\.codex\/config\.toml:\d+:\d+ is not TOML \([^\n\r]+\), so moth leaves it alone\. Mend that place and try again\.$/,
      );
    }
  });
  expect(cases).toBeGreaterThan(0);
});

function isToml(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
