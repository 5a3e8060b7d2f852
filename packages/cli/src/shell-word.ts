/**
 * A word as it is typed into a shell. What a session is called comes from a folder's name, and must stay a word when advice is pasted:
 * single quotes, in which no shell but Windows' old one runs anything.
 */
export function shellWord(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word) && !word.startsWith("-")) return word;
  return platform === "win32" ? `"${word.replaceAll('"', "")}"` : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
