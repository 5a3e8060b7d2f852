/** A length of time in its largest unit: `14s`, `2m`, `3h`, `5d`. */
export function shortDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** Seconds of `90`, `90s`, `30m`, `2h`, `1h30m`, `1d`; undefined when it is no such thing, or more than a year. */
export function parseDuration(text: string): number | undefined {
  const [whole, days = "0", hours = "0", minutes = "0", seconds = "0"] =
    /^\s*(?:(\d{1,5})d)?\s*(?:(\d{1,5})h)?\s*(?:(\d{1,5})m)?\s*(?:(\d{1,8})s?)?\s*$/.exec(text) ?? [];
  const total = Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return whole === undefined || total <= 0 || total > 366 * 86_400 ? undefined : total;
}
