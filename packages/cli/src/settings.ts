/** The person's settings: what there is, what holds, and where it comes from. */
import { type ConfigRead, contentOn, isHost, isPort, parseSwitch, readConfig } from "@moth-companion/core/config";
import { configFile, type Env, serverAddress } from "@moth-companion/core/paths";
import { DEFAULT_HOST, DEFAULT_PORT } from "@moth-companion/core/protocol";
import { commandText, parseBackends, parseQuiet } from "./notify/notify-settings.ts";

export const SETTING_KEYS = [
  "show_in_harness",
  "answers",
  "away",
  "content",
  "react_every",
  "quiet_after",
  "batch_window",
  "notify",
  "notify.finished_after",
  "notify.by",
  "notify.command",
  "notify.quiet",
  "notify.sound",
  "notify.answers",
  "voice",
  "voice.url",
  "voice.model",
  "voice.key_env",
  "voice.home",
  "port",
  "host",
] as const;
export type SettingKey = (typeof SETTING_KEYS)[number];
/** What holds, by key. Times are in seconds. */
interface SettingValues {
  show_in_harness: boolean;
  answers: boolean;
  away: boolean;
  content: boolean;
  react_every: number;
  quiet_after: number;
  batch_window: number;
  notify: boolean;
  "notify.finished_after": number;
  "notify.by": string;
  "notify.command": string;
  "notify.quiet": string;
  "notify.sound": boolean;
  "notify.answers": boolean;
  voice: string;
  "voice.url": string;
  "voice.model": string;
  "voice.key_env": string;
  "voice.home": boolean;
  port: number;
  host: string;
}
export type SettingValue = boolean | number | string;
/** Where a value comes from, the strongest first. */
type SettingOrigin = "flag" | "env" | "file" | "default";

export interface Setting {
  key: SettingKey;
  value: SettingValue;
  from: SettingOrigin;
  /** The variable or the file, when one of them decides. */
  where?: string;
}

interface Kind {
  default: SettingValue;
  /** The environment variable that beats the file. */
  env: string;
  /** What a good value is, for the person. */
  expects: string;
  about: string;
  /** A value from anywhere; undefined when it is none. */
  parse: (value: unknown) => SettingValue | undefined;
}

const SECONDS = { expects: "a number of seconds from 0 to 86400", parse: parseSeconds };

/** Every setting there is. */
export const SETTINGS: Readonly<Record<SettingKey, Kind>> = {
  show_in_harness: {
    default: false,
    env: "MOTH_SHOW_IN_HARNESS",
    expects: "on or off",
    about: "show moth's lines inside the harness too",
    parse: parseSwitch,
  },
  answers: {
    default: false,
    env: "MOTH_ANSWERS",
    expects: "on or off",
    about: "answer your agents through moth; what they ask is shown then",
    parse: parseSwitch,
  },
  away: {
    default: false,
    env: "MOTH_AWAY",
    expects: "on or off",
    about: "hold permissions for an answer through moth where only a hook can",
    parse: parseSwitch,
  },
  content: {
    default: true,
    env: "MOTH_CONTENT",
    expects: "on or off",
    about: "hear what agents write; off: states and lengths alone",
    parse: parseSwitch,
  },
  react_every: {
    ...SECONDS,
    default: 120,
    env: "MOTH_REACT_EVERY",
    about: "seconds between two reactions, unless something went wrong",
  },
  quiet_after: {
    ...SECONDS,
    default: 60,
    env: "MOTH_QUIET_AFTER",
    about: "seconds moth holds its reactions after you spoke to it",
  },
  batch_window: {
    ...SECONDS,
    default: 4,
    env: "MOTH_BATCH_WINDOW",
    about: "seconds moth waits for other sessions to finish too",
  },
  notify: {
    default: false,
    env: "MOTH_NOTIFY",
    expects: "on or off",
    about: "tell you when a session waits, fails, or has finished",
    parse: parseSwitch,
  },
  "notify.finished_after": {
    ...SECONDS,
    default: 60,
    env: "MOTH_NOTIFY_FINISHED_AFTER",
    about: "seconds of work from which on the end of a turn is told",
  },
  "notify.by": {
    default: "auto",
    env: "MOTH_NOTIFY_BY",
    expects: "auto, or some of desktop, terminal, command with commas between",
    about: "how: auto is the desktop where there is one, else the terminal",
    parse: parseBy,
  },
  "notify.command": {
    default: "",
    env: "MOTH_NOTIFY_COMMAND",
    expects:
      'a program and its arguments, like "ntfy publish moth", or as a JSON list of strings where one holds spaces or quotes',
    about: "a program to run as well; it finds what happened in MOTH_* variables",
    parse: commandText,
  },
  "notify.quiet": {
    default: "",
    env: "MOTH_NOTIFY_QUIET",
    expects: "hours of the day like 22:00-08:00",
    about: "hours in which nothing is told; a digest comes at their end",
    parse: (value) => (typeof value === "string" && parseQuiet(value) ? value.trim() : undefined),
  },
  "notify.sound": {
    default: false,
    env: "MOTH_NOTIFY_SOUND",
    expects: "on or off",
    about: "a sound with it, where the desktop has one",
    parse: parseSwitch,
  },
  "notify.answers": {
    default: false,
    env: "MOTH_NOTIFY_ANSWERS",
    expects: "on or off",
    about: "notices tell what is asked and can answer it, once answers are on",
    parse: parseSwitch,
  },
  voice: {
    default: "builtin",
    env: "MOTH_VOICE",
    expects: "builtin or openai",
    about: "who makes moth's lines: moth itself, or a model at voice.url",
    parse: (value) => (value === "builtin" || value === "openai" ? value : undefined),
  },
  "voice.url": {
    default: "",
    env: "MOTH_VOICE_URL",
    expects: "an http:// or https:// address, like http://127.0.0.1:11434",
    about: "a server that speaks OpenAI's chat dialect: Ollama, llama.cpp, LM Studio",
    parse: (value) => (typeof value === "string" && /^https?:\/\//.test(value) && URL.canParse(value) ? value : undefined),
  },
  "voice.model": {
    default: "",
    env: "MOTH_VOICE_MODEL",
    expects: "the name of a model",
    about: "the model to ask there; some servers have just one",
    parse: parseWord,
  },
  "voice.key_env": {
    default: "",
    env: "MOTH_VOICE_KEY_ENV",
    expects: "the name of an environment variable",
    about: "the variable that holds the key, where one is needed",
    parse: (value) => (typeof value === "string" && /^[A-Za-z_]\w*$/.test(value) ? value : undefined),
  },
  "voice.home": {
    default: true,
    env: "MOTH_VOICE_HOME",
    expects: "on or off",
    about: "let the model keep a diary and notes in moth's folder",
    parse: parseSwitch,
  },
  port: {
    default: DEFAULT_PORT,
    env: "MOTH_URL",
    expects: "a port from 1 to 65535",
    about: "where moth listens, and adapters report to",
    parse: (value) => (isPort(value) ? Number(value) : undefined),
  },
  host: {
    default: DEFAULT_HOST,
    env: "MOTH_URL",
    expects: "a host name or an address, without a port",
    about: "the interface moth listens on; 127.0.0.1 keeps it to this machine",
    parse: (value) => (isHost(value) ? value : undefined),
  },
};

export interface Settings {
  values: SettingValues;
  all: Setting[];
  /** Values that were given and cannot be used, each a sentence; what holds instead stands in `all`. */
  problems: string[];
}

/** What holds now: flag, else environment, else file, else default. Never throws; a broken file is a problem. */
export function readSettings(env: Env, flags: Partial<Record<SettingKey, SettingValue>> = {}): Settings {
  const read = readConfig(env);
  const problems = read.ok ? [] : [`${read.file} ${read.problem}; its settings are not used until it is mended`];
  const all = SETTING_KEYS.map((key): Setting => {
    const flag = flags[key];
    if (flag !== undefined) return { key, value: flag, from: "flag" };
    return (
      fromEnv(key, env, problems) ?? fromFile(key, read, env, problems) ?? { key, value: SETTINGS[key].default, from: "default" }
    );
  });
  const values = Object.fromEntries(all.map(({ key, value }) => [key, value])) as unknown as SettingValues;
  return { all, values, problems };
}

/** As the person writes it. */
export function formatValue(value: SettingValue): string {
  return typeof value === "boolean" ? (value ? "on" : "off") : String(value);
}

function fromEnv(key: SettingKey, env: Env, problems: string[]): Setting | undefined {
  const { env: name, expects, parse } = SETTINGS[key];
  const given = env[name]?.trim();
  if (!given) return undefined;
  const value = name === "MOTH_URL" ? serverAddress(env)?.[key as "host" | "port"] : parse(given);
  if (value !== undefined) return { key, value, from: "env", where: name };
  const held = unusable(key, "env", name);
  // One variable gives host and port: one complaint is enough.
  if (key !== "host")
    problems.push(`${name} is "${given}", which is not ${name === "MOTH_URL" ? "an http:// address" : expects}`);
  return held;
}

function fromFile(key: SettingKey, read: ConfigRead, env: Env, problems: string[]): Setting | undefined {
  if (!read.ok) return contentOn(env) ? undefined : unusable(key, "file", read.file);
  const given = read.config[key];
  if (given === undefined) return undefined;
  const value = SETTINGS[key].parse(given);
  if (value !== undefined) return { key, value, from: "file", where: configFile(env) };
  problems.push(`${key} in ${configFile(env)} is ${JSON.stringify(given)}, which is not ${SETTINGS[key].expects}`);
  return unusable(key, "file", configFile(env));
}

/** What holds where a value that was given cannot be used: the default, but for the one setting that keeps what agents write away. */
function unusable(key: SettingKey, from: "env" | "file", where: string): Setting | undefined {
  return key === "content" ? { key, value: false, from, where } : undefined;
}

function parseWord(value: unknown): string | undefined {
  return typeof value === "string" && /^[^\p{C}]{1,200}$/u.test(value.trim()) ? value.trim() : undefined;
}

function parseBy(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const words = value.split(",").map((word) => word.trim());
  if (words.join() === "auto") return "auto";
  const known = parseBackends(value);
  return known.length > 0 && words.every((word) => known.some((name) => name === word)) ? known.join(",") : undefined;
}

function parseSeconds(value: unknown): number | undefined {
  if (typeof value === "string" ? !/^\d+(\.\d+)?$/.test(value.trim()) : typeof value !== "number") return undefined;
  const seconds = Number(value);
  return seconds >= 0 && seconds <= 86_400 ? seconds : undefined;
}
