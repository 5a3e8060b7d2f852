/**
 * A word as it is typed into a shell. What a session is called comes from a folder's name, and must stay a word when advice is pasted:
 * single quotes, in which no shell but Windows' old one runs anything.
 */
export function shellWord(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word) && !word.startsWith("-")) return word;
  return platform === "win32" ? `"${word.replaceAll('"', "")}"` : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The same for operands: the first that begins with a dash stands behind the `--` that keeps it, and what follows, from being a flag. */
export function operandWords(...words: readonly string[]): string {
  const first = words.findIndex((word) => word.startsWith("-"));
  return words.map((word, index) => `${index === first ? "-- " : ""}${shellWord(word)}`).join(" ");
}
