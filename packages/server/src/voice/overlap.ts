/** Words in a row that moth may share with an agent's text, at most. */
const SHARED = 3;

/** A test whether a line has more than three words in a row in common with a text. Reads the text once. */
export function sharesWords(text: string): (line: string) => boolean {
  const runs = new Set(runsOf(text));
  return (line) => runsOf(line).some((run) => runs.has(run));
}

function runsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  return words.slice(SHARED).map((_, index) => words.slice(index, index + SHARED + 1).join(" "));
}
