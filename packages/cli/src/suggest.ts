/** The one of `known` that `word` most likely meant, if any is near enough. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let least = Infinity;
  for (const name of known) {
    const far = wanted.length > 1 && name.startsWith(wanted) ? 0.5 : distance(wanted, name.toLowerCase());
    if (far < least) [best, least] = [name, far];
  }
  return least <= Math.max(1, Math.floor(word.length / 3)) ? best : undefined;
}

/** Edits from one word to the other; two neighbours in the wrong order count as one. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
