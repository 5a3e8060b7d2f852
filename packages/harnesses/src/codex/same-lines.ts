/** A person's lines in a text that another program has written anew. */

const LINE = /([^\n]*?)(\r?\n|$)/y;

interface Line {
  text: string;
  end: string;
}

/**
 * The new text with the ends that the person's lines had; new lines get the end most of theirs have.
 * @param mayGo lines that need not be there any more; blank ones never need to
 * @returns `lost`: the first line of the person's that is not there any more, or stands in another order
 */
export function keepLines(before: string, after: string, mayGo: (line: string) => boolean): { text: string; lost?: string } {
  const old = linesOf(before);
  const crlf = old.filter(({ end }) => end === "\r\n").length;
  const usual = crlf > old.filter(({ end }) => end === "\n").length ? "\r\n" : "\n";
  const isOptional = ({ text }: Line): boolean => text.trim() === "" || mayGo(text);
  let next = 0;
  const lines = linesOf(after).map(({ text, end }) => {
    let at = next;
    while (at < old.length && old[at]?.text !== text && isOptional(old[at] as Line)) at++;
    const same = old[at]?.text === text ? old[at] : undefined;
    if (same) next = at + 1;
    return text + (end === "" ? "" : (same?.end ?? "") || usual);
  });
  const lost = old.slice(next).find((line) => !isOptional(line));
  return { text: lines.join(""), ...(lost && { lost: lost.text }) };
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  LINE.lastIndex = 0;
  while (LINE.lastIndex < text.length) {
    const [, line = "", end = ""] = LINE.exec(text) ?? [];
    lines.push({ text: line, end });
  }
  return lines;
}
