/** The diary as text: entries one below the other, each headed by its day and time. */

const HEAD = /^\d{4}-\d\d-\d\d \d\d:\d\d$/m;

/** The diary with an entry more. So that it has at most `max` bytes, the oldest entries go. @param time milliseconds since 1970 */
export function appended(diary: string, entry: string, time: number, max: number): string {
  let whole = `${diary.trimEnd()}\n\n${stamp(time)}\n${entry}\n`.trimStart();
  while (Buffer.byteLength(whole) > max) {
    const rest = whole.slice(1);
    const next = HEAD.exec(rest);
    // Something without heads, longer than a diary may be: the person's own. The entry alone is left.
    if (!next) return `${stamp(time)}\n${entry}\n`;
    whole = rest.slice(next.index);
  }
  return whole;
}

/** As the person's clock on the wall shows it. */
function stamp(time: number): string {
  const date = new Date(time);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

function two(part: number): string {
  return String(part).padStart(2, "0");
}
