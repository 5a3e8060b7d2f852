/** Hours of the day in which nobody is told anything. */

const DAY = 24 * 60;

/** Minutes since midnight, local time; `to` itself is outside. Where `to` is the smaller one, they run over midnight. */
export interface QuietHours {
  from: number;
  to: number;
}

/**
 * Milliseconds until the quiet hours are over; 0 outside them.
 * @param minute where the day stands now, parts of a minute included
 */
export function quietFor(hours: QuietHours, minute: number): number {
  const into = (minute - hours.from + DAY) % DAY;
  const length = (hours.to - hours.from + DAY) % DAY;
  return into < length ? Math.max(1, Math.ceil((length - into) * 60_000)) : 0;
}

/** Minutes since this machine's midnight. */
export function localMinute(now: number): number {
  const date = new Date(now);
  return date.getHours() * 60 + date.getMinutes() + date.getSeconds() / 60 + date.getMilliseconds() / 60_000;
}
