/** Words in a row that moth may share with an agent's text, at most. */
const SHARED = 3;
/** The same where no spaces stand between words: letters in a row. */
const SHARED_LETTERS = 7;

const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

/** A test whether a line has more than three words in a row in common with a text. Reads the text once. */
export function sharesWords(text: string): (line: string) => boolean {
  const runs = new Set(runsOf(text));
  let letters: string | undefined;
  return (line) => {
    if (runsOf(line).some((run) => runs.has(run))) return true;
    if (!UNSPACED.test(line)) return false;
    letters ??= lettersOf(text);
    const known = letters;
    const own = lettersOf(line);
    for (let at = 0; at + SHARED_LETTERS < own.length; at += 1) {
      const run = own.slice(at, at + SHARED_LETTERS + 1);
      if (UNSPACED.test(run) && known.includes(run)) return true;
    }
    return false;
  };
}

function runsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  return words.slice(SHARED).map((_, index) => words.slice(index, index + SHARED + 1).join(" "));
}

/** Only letters of scripts without spaces; anything else between them is one mark. */
function lettersOf(text: string): string {
  return text.replace(/[\p{P}\s]+/gu, "").replace(new RegExp(`${UNSPACED.source.replace("[", "[^")}+`, "gu"), "-");
}
