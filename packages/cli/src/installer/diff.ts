import { cleanText } from "@moth-companion/core/text";

/** Lines around a change. */
const CONTEXT = 2;
/** Of a longer line only what is around its change is shown, so many characters of either side. */
const LONG = 400;
const AROUND = 20;
const SHOWN = 160;
/** Beyond this the table of the comparison would grow large, and nobody reads the answer. */
const MAX_LINES = 1500;

type Line = { mark: " " | "-" | "+"; text: string };

/**
 * The changed lines of a file with a few around them, marked `-` and `+`. Empty when the contents differ only in line ends.
 * Long lines are cut to what is around their change.
 * @returns undefined when the contents are not worth showing: binary, or of very many lines
 */
export function diffLines(before: Buffer | undefined, after: Buffer | undefined): string[] | undefined {
  const old = linesOf(before);
  const fresh = linesOf(after);
  if (!old || !fresh) return undefined;
  const all = compare(old, fresh);
  const near = all.map((_, index) =>
    all.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some((line) => line.mark !== " "),
  );
  const shown: string[] = [];
  const short = shortened(all);
  all.forEach((line, index) => {
    if (near[index]) shown.push(`${line.mark} ${short[index] ?? ""}`.trimEnd());
    else if (near[index - 1]) shown.push("  …");
  });
  if (shown.at(-1) === "  …") shown.pop();
  return shown;
}

/** The lines' texts, each short enough to be read. */
function shortened(lines: readonly Line[]): string[] {
  return lines.map((line, index) => {
    const { text } = line;
    if (text.length <= LONG) return text;
    const other = line.mark === " " ? undefined : counterpart(lines, index);
    if (other === undefined) return `${text.slice(0, SHOWN)}…`;
    let head = 0;
    while (head < text.length && text[head] === other[head]) head++;
    let tail = 0;
    while (tail < Math.min(text.length, other.length) - head && text.at(-1 - tail) === other.at(-1 - tail)) tail++;
    const from = Math.max(0, head - AROUND);
    const to = Math.min(text.length, text.length - tail + AROUND);
    const part =
      to - from > SHOWN ? `${text.slice(from, from + SHOWN)}…` : `${text.slice(from, to)}${to < text.length ? "…" : ""}`;
    return `${from > 0 ? "…" : ""}${part}`;
  });
}

/** What a changed line was, or became: as far from the beginning of its group. */
function counterpart(lines: readonly Line[], index: number): string | undefined {
  const isChanged = (at: number): boolean => (lines[at] ?? { mark: " " }).mark !== " ";
  let from = index;
  while (isChanged(from - 1)) from--;
  let to = index;
  while (isChanged(to + 1)) to++;
  const group = lines.slice(from, to + 1);
  const line = lines[index] as Line;
  const own = group.filter(({ mark }) => mark === line.mark);
  return group.filter(({ mark }) => mark !== line.mark)[own.indexOf(line)]?.text;
}

function linesOf(content: Buffer | undefined): string[] | undefined {
  if (content === undefined || content.length === 0) return [];
  if (content.includes(0)) return undefined;
  const lines = cleanText(content.toString("utf8").replace(/^\uFEFF/, ""))
    .replace(/\n$/, "")
    .split("\n");
  return lines.length > MAX_LINES ? undefined : lines;
}

/** By longest common subsequence, between the ends that are alike anyway. */
function compare(old: readonly string[], fresh: readonly string[]): Line[] {
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  const a = old.slice(head, old.length - tail);
  const b = fresh.slice(head, fresh.length - tail);
  return [...old.slice(0, head).map(kept), ...middle(a, b), ...old.slice(old.length - tail).map(kept)];
}

function middle(a: readonly string[], b: readonly string[]): Line[] {
  // common[i][j]: length of what a from i and b from j have in common.
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = common[i] as Uint16Array;
      row[j] = a[i] === b[j] ? (common[i + 1]?.[j + 1] ?? 0) + 1 : Math.max(common[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      lines.push({ mark: " ", text: left });
      i++;
      j++;
    } else if (left !== undefined && (right === undefined || (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) {
      lines.push({ mark: "-", text: left });
      i++;
    } else if (right !== undefined) {
      lines.push({ mark: "+", text: right });
      j++;
    }
  }
  return lines;
}

function kept(text: string): Line {
  return { mark: " ", text };
}
