/** Settings files in YAML with a list in a block, as people and programs leave them: odd, and valid. */
import type { YamlList } from "../../src/install/yaml-list.ts";
import type { Dice } from "./dice.ts";

const OTHERS = [
  "provider: gpt",
  "model:\n  default: x  # y",
  "text: |\n  plugins:\n    enabled: [no]\n",
  "folded: >-\n  plugins: x\n  enabled\n",
  "on: {a: [1, 2], b: {c: d}}",
  "'quoted key': \"a \\u00fc: b\"",
  '"plugins ": {enabled: [x]}',
  "ключ: 🦋",
  "defaults: &base\n  a: 1\nmore:\n  <<: *base\n  b: 2",
  "anchored: &word moth",
  "? complex\n: value",
  "list:\n- 1\n-   a: b\n    c: d\n- - x\n  - y",
  "deep:\n  er:\n    est:\n      - plugins:\n          enabled: [moth]",
  "hooks:\n  post_llm_call:\n    - command: beep\n      timeout: 3",
  "date: 2026-11-30",
  "empty:",
  "tilde: ~",
  "url: http://127.0.0.1:4747/#x",
  "multi: one\n  two\n  three",
  "!tagged tag: !!str 5",
] as const;
const WORDS = ["a", "b-1", "'q q'", '"d\\n"', "moth-2", "42", "~", "тема"] as const;

/** @returns the text, without a byte order mark */
export function yamlFile(dice: Dice, { block, list, word }: YamlList): string {
  const step = dice.pick(["  ", "  ", "    ", "   "]);
  const comments = dice.once(2);
  const note = (): string => (comments && dice.once(2) ? dice.pick([" # c", "   # ünï: [", "\t# tab"]) : "");
  const between = (indent: string): string =>
    comments && dice.once(4) ? dice.pick([`\n${indent}# c`, "\n# left", "\n", `\n\n${indent}# - ${word}`, "\n   # odd"]) : "";
  const words = (): string[] => Array.from({ length: dice.below(4) }, () => dice.pick(WORDS));
  const quoted = (name: string): string => (dice.once(8) ? dice.pick([`"${name}"`, `'${name}'`]) : name);

  const listValue = (indent: string): string => {
    if (dice.once(12)) return dice.pick(["", " ", ` &l`, " # none", " null", " all", " {}"]);
    if (dice.once(2)) {
      const gap = dice.pick(["", " ", `\n${indent}${step}`]);
      const items = words();
      const tail = items.length > 0 && dice.once(5) ? "," : "";
      return ` [${gap}${items.join(dice.pick([", ", ",", ` ,\n${indent}${step}`]))}${tail}${gap}]${note()}`;
    }
    const own = dice.once(4) ? indent : indent + step;
    const dash = dice.pick(["- ", "- ", "-   "]);
    const items = words().map((one) => `${between(own)}\n${own}${dash}${one}${note()}`);
    return `${note()}${items.join("")}`;
  };
  const blockValue = (): string => {
    if (dice.once(8))
      return dice.pick([
        "",
        " {}",
        " # c",
        " null",
        " ~",
        " [x]",
        " {disabled: [z]}",
        ` {${list}: [], other: 1}`,
        ` {${list}: [a]}`,
        " &p",
      ]);
    const pairs = [
      `${quoted(list)}:${listValue(step)}`,
      dice.pick(["disabled: [z]", `disabled:\n${step}- z`]),
      "other: 1",
      `sub:\n${step}${step}${list}: [n]`,
    ];
    const chosen = dice.some(pairs).slice(0, 3);
    return note() + chosen.map((pair) => `${between(step)}\n${step}${pair}`).join("");
  };
  const tops: string[] = dice.some(OTHERS).slice(0, dice.pick([0, 1, 1, 2, 3]));
  if (!dice.once(4)) tops.splice(dice.below(tops.length + 1), 0, `${quoted(block)}:${blockValue()}`);
  const start = dice.pick(["", "", "", "", "---\n", "%YAML 1.2\n---\n", "# top\n", "\n\n", "--- # x\n"]);
  const end = dice.pick(["\n", "\n", "\n", "", "\n\n", "\n# end", "\n# end\n", "\n...\n", "  "]);
  const second = dice.once(20) ? "\n---\nsecond: 1" : "";
  const text = start + tops.join(dice.pick(["\n", "\n", "\n\n", "\n# gap\n"])) + second + end;
  return dice.once(4) ? text.replaceAll("\n", "\r\n") : dice.once(10) ? text.replace("\n", "\r\n") : text;
}
