/** Lists of patches as people write them in YAML: any layout, odd indents, comments everywhere, other rows beside moth's. */
import type { Dice } from "./dice.ts";

const COMMENTS = ["# mine", "#", "# - insert: [{ id: moth }]", "# naïve ☂"] as const;
const ROWS = ["{ id: log, name: ./log.mjs }", "{id: web, disabled: true}", "{ id: x, config: { a: [1, 'b'] } }"] as const;

export function yamlRowsFile(dice: Dice): string {
  const end = dice.once(4) ? "\r\n" : "\n";
  const comment = (): string[] => (dice.once(3) ? [dice.pick(COMMENTS)] : []);
  if (dice.once(12)) return [...comment(), ...comment(), ""].join(end);
  const lines = dice.once(3) ? flow(dice) : block(dice);
  const head = dice.once(8) ? ["---"] : [];
  const text = [...comment(), ...head, ...comment(), ...lines, ...comment()].join(end);
  return dice.once(4) ? text : text + end;
}

function flow(dice: Dice): string[] {
  const items = dice.some(PATCHES).map((patch) => `{ ${patch(dice)} }`);
  if (items.length === 0) return [dice.pick(["[]", "[ ]", "[   ] # none", "[\n]", "[ # none\n]"])];
  const comma = dice.once(3) ? "," : "";
  if (dice.once(2)) return [`[${items.join(", ")}${comma}]`];
  return ["[", ...items.map((item, at) => `  ${item}${at < items.length - 1 ? "," : comma}${dice.once(4) ? " # one" : ""}`), "]"];
}

function block(dice: Dice): string[] {
  const indent = " ".repeat(dice.pick([0, 0, 0, 2]));
  const gap = " ".repeat(dice.pick([1, 1, 3]));
  const items = dice.some(PATCHES);
  const lines = (items.length > 0 ? items : [PATCHES[0]!]).flatMap((patch) => [
    ...(dice.once(5) ? [`${indent}${dice.pick(COMMENTS)}`] : []),
    `${indent}-${gap}${patch(dice)}${dice.once(5) ? " # why" : ""}`,
    ...(dice.once(6) ? [""] : []),
  ]);
  if (!dice.once(4)) return lines;
  const rows = dice.some(ROWS);
  return [...lines, `${indent}- insert:`, ...(rows.length > 0 ? rows : ROWS).map((row) => `${indent}    - ${row}`)];
}

/** One patch as a map, without braces. */
const PATCHES: readonly ((dice: Dice) => string)[] = [
  (dice) => `insert: [${dice.some(ROWS).join(", ")}]`,
  () => "id: telemetry",
  (dice) => `"id": ${dice.pick(["web", "'moth two'", '"log"'])}`,
  () => "insert: [{ id: n, name: ../other.mjs, disabled: !!js \"process.platform === 'win32'\" }]",
];
