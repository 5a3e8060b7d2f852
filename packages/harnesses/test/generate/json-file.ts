/** Settings files in JSON with hook tables, as people, editors and other programs leave them: odd, and valid. */
import type { Entry, HookTable } from "../../src/install/hook-table.ts";
import type { Dice } from "./dice.ts";

interface Style {
  indent: string;
  eol: string;
  /** On one line, without spaces, one member a line, or anything. */
  layout: "line" | "dense" | "lines" | "wild";
  comments: boolean;
  commas: boolean;
}

export interface JsonFileOptions {
  table: HookTable;
  /** Entries of moth's own in it, older ones too. */
  ours?: readonly Entry[];
}

const KEYS = [
  '"model"',
  '"env"',
  '"a b"',
  '""',
  '"__proto__"',
  '"constructor"',
  '"ключ 🦋"',
  '"\\u0061"',
  '"q\\"{["',
  '"//"',
] as const;
const SCALARS = [
  "true",
  "null",
  "-1.5e3",
  "12345678901234567890",
  '""',
  '"//"',
  '"/*"',
  '"\\"[{,"',
  '"\\ud83e\\udd8b"',
  '"é\u2028"',
] as const;
/** What other programs put into hook tables. */
const STRANGERS = [
  '{"type":"command","command":"~/.claude/hooks/peon-ping/peon.sh"}',
  '{"type": "command", "command": "notify --title \\"done\\"", "timeout": 5}',
  '{"type":"command","command":"/home/ada/.moth/bin/moth-hook.sh"}',
  '{"type":"command","command":"C:\\\\tools\\\\beep.exe","args":["moth-hook"]}',
  '{"type":"http","url":"http://127.0.0.1:9/x"}',
  '{"command":"beep"}',
  "{}",
  '"beep"',
  "7",
  "null",
  "[]",
] as const;

/** @returns the text, without a byte order mark */
export function jsonFile(dice: Dice, { table, ours = [] }: JsonFileOptions): string {
  const style: Style = {
    indent: dice.pick(["  ", "\t", "    ", " "]),
    eol: dice.pick(["\n", "\n", "\r\n", "\r"]),
    layout: dice.pick(["line", "dense", "lines", "lines", "wild"]),
    comments: dice.once(3),
    commas: dice.once(4),
  };
  const w = writer(dice, style);
  const events = [...table.entries.keys(), "Other", "toString", "Notification"];
  const entry = (): string =>
    ours.length > 0 && dice.once(2) ? JSON.stringify(dice.pick([ours[0] as Entry, ...ours])) : dice.pick(STRANGERS);
  const many = (most: number): number[] => Array.from({ length: dice.below(most + 1) }, (_, index) => index);
  const group = (depth: number): string => {
    if (dice.once(12)) return dice.pick(STRANGERS);
    const members: string[] = [w.pair('"hooks"', w.list(many(2).map(entry), depth + 1))];
    if (dice.once(3)) members.splice(dice.below(2), 0, w.pair('"matcher"', dice.pick(['"Bash"', '""', '"*"'])));
    if (dice.once(20)) members.push(w.pair('"hooks"', w.list([], depth + 1)));
    return w.object(members, depth);
  };
  const item = table.flat ? entry : group;
  const hookTable = (depth: number): string => {
    const names = dice.some(events).slice(0, 3);
    if (dice.once(10) && names[0] !== undefined) names.push(names[0]);
    const lists = names.map((name) =>
      w.pair(
        JSON.stringify(name),
        w.list(
          many(2).map(() => item(depth + 2)),
          depth + 1,
        ),
      ),
    );
    return w.object(lists, depth);
  };
  const members = dice
    .some(KEYS)
    .slice(0, 3)
    .map((key) => w.pair(key, w.value(1)));
  for (let times = dice.pick([0, 1, 1, 1, 1, 2]); times > 0; times--) {
    const { name = "hooks" } = table;
    const plain = JSON.stringify(name);
    const escaped = `"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}"`;
    const key = dice.pick([plain, plain, plain, escaped]);
    members.splice(dice.below(members.length + 1), 0, w.pair(key, hookTable(1)));
  }
  const start = dice.pick(["", "", "", style.eol, "  ", ...(style.comments ? [`// mine${style.eol}`, `/* mine */`] : [])]);
  return (
    start +
    w.object(members, 0) +
    dice.pick(["", style.eol, style.eol, style.eol + style.eol, ...(style.comments ? [" // end"] : [])])
  );
}

interface Writer {
  object(members: readonly string[], depth: number): string;
  list(items: readonly string[], depth: number): string;
  pair(key: string, value: string): string;
  /** Anything. */
  value(depth: number): string;
}

function writer(dice: Dice, { indent, eol, layout, comments, commas }: Style): Writer {
  const comment = (): string =>
    dice.pick([`// c${eol}`, "/* c */", `/* a${eol} * b */`, '/*,"hooks":{*/', `// },${eol}`, `//${eol}`, "/**/"]);
  const space = (usual: string): string => {
    if (comments && dice.once(6)) return usual + comment() + (dice.once(2) ? usual : "");
    if (layout !== "wild") return usual;
    return dice.pick(["", " ", "\t", eol, eol + indent, `  ${eol}${eol}`, "\n", "\r\n"]);
  };
  const container = (open: string, close: string, items: readonly string[], depth: number): string => {
    const inner = layout === "lines" && !dice.once(8) ? eol + indent.repeat(depth + 1) : layout === "line" ? " " : "";
    if (items.length === 0) return open + space(dice.pick(["", "", " ", inner])) + close;
    const texts = items.map((item) => space(inner) + item + (comments || layout === "wild" ? space("") : ""));
    const last = (commas && dice.once(3) ? "," : "") + space(inner && (layout === "lines" ? eol + indent.repeat(depth) : " "));
    return open + texts.join(",") + last + close;
  };
  const object: Writer["object"] = (members, depth) => container("{", "}", members, depth);
  const list: Writer["list"] = (items, depth) => container("[", "]", items, depth);
  const pair: Writer["pair"] = (key, value) =>
    key + (layout === "wild" ? space("") : "") + ":" + space(layout === "dense" ? "" : " ") + value;
  const value: Writer["value"] = (depth) => {
    if (depth > 4 || dice.once(2)) return dice.pick(SCALARS);
    const items = Array.from({ length: dice.below(3) }, () => value(depth + 1));
    if (dice.once(2)) return list(items, depth);
    return object(
      items.map((item) => pair(dice.pick([...KEYS, '"hooks"']), item)),
      depth,
    );
  };
  return { object, list, pair, value };
}
