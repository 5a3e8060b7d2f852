/** Settings files in TOML, as people and programs leave them: odd, and valid. */
import type { Dice } from "./dice.ts";

/** Top-level pairs, each of keys of its own. */
const PAIRS = [
  'model = "gpt"',
  "path = 'C:\\Users\\ada'",
  'text = """\nnotify = ["no"]\n[table]\n"""',
  "literal = '''\n# no comment\n'''",
  '"quoted key" = "\\u00fc # no"',
  "'' = 1",
  "a.b . c = 0x1F",
  "when = 2026-11-30T07:32:00Z",
  "floats = [1.5, -2e3, inf]",
  "list = [\n  1, # one\n  2,\n]",
  "inline = { x = 1, y.z = [true] }",
  "flag=true",
  "spaced   =   'x'",
] as const;
const TABLES = [
  '[tui]\ntheme = "dark"',
  "[ mcp_servers . files ]\ncommand = 'x'\nargs = []",
  "[features]\nhooks = true",
  '[projects."/home/ada/it\'s"]\ntrust_level = "trusted"',
  "[[steps]]\nname = 'a'\n\n[[steps]]\nname = 'b'\n[steps.more]\nx = 1",
  "[empty]",
  '["ключ 🦋"]\nx = 1',
  '[profiles.work]\nnotify = ["beep"]',
] as const;

/** @param own pairs one of which may stand at the top: what is there already where moth's would go */
export function tomlFile(dice: Dice, own: readonly string[] = []): string {
  const comments = dice.once(2);
  const note = (): string => (comments && dice.once(2) ? dice.pick([" # c", "\t# ünï = [", " #"]) : "");
  const between = (): string => (comments && dice.once(3) ? dice.pick(["# c\n", "\n", '# notify = ["x"]\n', "\n\n# [t]\n"]) : "");
  const withNote = (pair: string): string => (pair.includes("\n") ? pair : pair + note());
  const pairs: string[] = dice.some(PAIRS).slice(0, 3);
  const [mine] = dice.once(2) ? dice.some(own) : [];
  if (mine !== undefined) pairs.splice(dice.below(pairs.length + 1), 0, mine);
  const tables = dice.some(TABLES).slice(0, 2);
  const blank = dice.pick(["", "\n", "\n\n"]);
  const parts = [
    ...pairs.map((pair) => `${between()}${dice.once(8) ? "  " : ""}${withNote(pair)}\n`),
    ...tables.map((table) => `${between()}${blank}${table}${note()}\n`),
  ];
  const start = dice.pick(["", "", "", "# mine\n", "\n\n", "#:schema https://example.invalid/schema.json\n"]);
  const text = start + parts.join("") + dice.pick(["", "", "\n", "# end\n", "# end", "  "]);
  const ended = dice.once(5) ? text.replace(/\n$/, "") : text;
  return dice.once(4) ? ended.replaceAll("\n", "\r\n") : ended;
}
