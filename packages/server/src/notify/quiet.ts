/** Hours of the day in which nobody is told anything. */

const DAY = 24 * 60;

/** Minutes since midnight, local time; `to` itself is outside. Where `to` is the smaller one, they run over midnight. */
export interface QuietHours {
  from: number;
  to: number;
}

/** `22:00-08:00`, or `22-8`; undefined when it is no such thing, or an empty stretch. */
export function parseQuiet(text: string): QuietHours | undefined {
  const [, fromHour, fromMinute = "0", toHour, toMinute = "0"] =
    /^\s*(\d{1,2})(?::(\d\d))?\s*(?:-|–|to)\s*(\d{1,2})(?::(\d\d))?\s*$/.exec(text) ?? [];
  const from = minutes(fromHour, fromMinute);
  const to = minutes(toHour, toMinute);
  return from === undefined || to === undefined || from === to ? undefined : { from, to };
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

function minutes(hour: string | undefined, minute: string): number | undefined {
  const total = Number(hour) * 60 + Number(minute);
  return hour === undefined || Number(minute) > 59 || total > DAY ? undefined : total % DAY;
}
