import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

/** Columns a text takes in a terminal, colours not counted. */
export function width(text: string): number {
  // Nearly every text. For the others tables of Unicode's are made ready, which takes as long as all else that a command does.
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

let segmenter: Intl.Segmenter | undefined;

/** The characters as a person counts them. */
export function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** At most `columns` wide; what is cut off stands as `…`. For text without colours. */
export function fit(text: string, columns: number): string {
  // A column holds few UTF-16 units: measuring all of a long text would be slow.
  const head = text.slice(0, columns * 16 + 64);
  if (head.length === text.length && width(text) <= columns) return text;
  if (columns < 1) return "";
  let kept = "";
  let used = 0;
  for (const char of graphemes(head)) {
    used += width(char);
    if (used > columns - 1) break;
    kept += char;
  }
  return `${kept.trimEnd()}…`;
}

/** As lines at most `columns` wide, broken between words where that is possible. */
export function wrap(text: string, columns: number): string[] {
  return wrapAnsi(text, Math.max(8, columns), { hard: true, trim: true }).split("\n");
}

/** A command at the end of a sentence of moth's. */
const COMMAND = /^(.*:) ((?:moth|npx|node|npm|git) .*)$/s;

/**
 * The same for a sentence of moth's: what begins it indents every line, no word is broken (a path is easier to copy where the terminal
 * breaks it), and a command at its end stays in one piece where it fits.
 * @param columns undefined: as it is
 */
export function fold(text: string, columns: number | undefined): string[] {
  if (columns === undefined || width(text) <= columns) return [text];
  const indent = /^(?:moth: | *)/.exec(text)?.[0] ?? "";
  const room = Math.max(8, columns - indent.length);
  const lines = (part: string): string[] => wrapAnsi(part, room, { trim: true }).split("\n");
  const whole = lines(text.slice(indent.length));
  const [, sentence = "", command = ""] = COMMAND.exec(text.slice(indent.length)) ?? [];
  const apart = command !== "" && !whole.at(-1)?.includes(command) && width(command) <= room;
  const [first = "", ...more] = apart ? [...lines(sentence), command] : whole;
  return [indent + first, ...more.map((line) => " ".repeat(indent.length) + line)];
}

/** Padded on the right to `columns`. */
export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - width(text)));
}
