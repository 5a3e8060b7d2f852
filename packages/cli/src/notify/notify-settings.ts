/** The settings of notifications, as the person writes them and as the server takes them. */
import type { BackendName, NotifySettings, QuietHours } from "@moth-companion/server";

const DAY = 24 * 60;
const BACKENDS: readonly BackendName[] = ["desktop", "terminal", "command"];

/** Those of the settings that are about notifications. Times are in seconds; an empty text: not set. */
interface Values {
  notify: boolean;
  "notify.finished_after": number;
  "notify.by": string;
  "notify.command": string;
  "notify.quiet": string;
  "notify.sound": boolean;
  "notify.answers": boolean;
}

export function notifySettings(values: Values): NotifySettings {
  return {
    on: values.notify,
    finishedAfter: values["notify.finished_after"],
    quiet: parseQuiet(values["notify.quiet"]),
    by: values["notify.by"] === "auto" ? "auto" : parseBackends(values["notify.by"]),
    command: parseCommand(values["notify.command"]) ?? [],
    sound: values["notify.sound"],
    answers: values["notify.answers"],
  };
}

/** `22:00-08:00`, or `22-8`; undefined when it is no such thing, or an empty stretch. */
export function parseQuiet(text: string): QuietHours | undefined {
  const [, fromHour, fromMinute = "0", toHour, toMinute = "0"] =
    /^\s*(\d{1,2})(?::(\d\d))?\s*(?:-|–|to)\s*(\d{1,2})(?::(\d\d))?\s*$/.exec(text) ?? [];
  const from = minutes(fromHour, fromMinute);
  const to = minutes(toHour, toMinute);
  return from === undefined || to === undefined || from === to ? undefined : { from, to };
}

/** A list like `desktop, command`; without those it does not know. */
export function parseBackends(text: string): BackendName[] {
  const words = new Set(text.split(",").map((word) => word.trim()));
  return BACKENDS.filter((name) => words.has(name));
}

/**
 * A program and its arguments: words between spaces, or a JSON list of strings for those that hold spaces.
 * @returns undefined when it is neither. Quotes are refused: no shell reads this, so they would not do what they seem to.
 */
export function parseCommand(given: unknown): string[] | undefined {
  const list: unknown = typeof given === "string" && given.trim().startsWith("[") ? parseJson(given) : given;
  if (Array.isArray(list)) {
    const words = list.filter((word): word is string => typeof word === "string" && !word.includes("\0"));
    return words.length === list.length && words[0] ? words : undefined;
  }
  if (typeof list !== "string" || list.trim() === "" || /["'`\\\0]/.test(list)) return undefined;
  return list.trim().split(/\s+/);
}

/** The same, in the one spelling that is kept. */
export function commandText(given: unknown): string | undefined {
  const words = parseCommand(given);
  if (!words) return undefined;
  return words.every((word) => /^[^\s"'`\\[]+$/.test(word)) ? words.join(" ") : JSON.stringify(words);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function minutes(hour: string | undefined, minute: string): number | undefined {
  const total = Number(hour) * 60 + Number(minute);
  return hour === undefined || Number(minute) > 59 || total > DAY ? undefined : total % DAY;
}
