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

/** Padded on the right to `columns`. */
export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - width(text)));
}
