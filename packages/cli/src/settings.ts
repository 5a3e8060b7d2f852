/** The person's settings: what there is, what holds, and where it comes from. */
import { type ConfigRead, isHost, isPort, parseSwitch, readConfig } from "@moth-companion/core/config";
import { configFile, type Env, serverAddress } from "@moth-companion/core/paths";
import { DEFAULT_HOST, DEFAULT_PORT } from "@moth-companion/core/protocol";

export const SETTING_KEYS = ["show_in_harness", "react_every", "quiet_after", "batch_window", "port", "host"] as const;
export type SettingKey = (typeof SETTING_KEYS)[number];
/** What holds, by key. Times are in seconds. */
interface SettingValues {
  show_in_harness: boolean;
  react_every: number;
  quiet_after: number;
  batch_window: number;
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
  // One variable gives host and port: one complaint is enough.
  if (key !== "host")
    problems.push(`${name} is "${given}", which is not ${name === "MOTH_URL" ? "an http:// address" : expects}`);
  return undefined;
}

function fromFile(key: SettingKey, read: ConfigRead, env: Env, problems: string[]): Setting | undefined {
  const given = read.ok ? read.config[key] : undefined;
  if (given === undefined) return undefined;
  const value = SETTINGS[key].parse(given);
  if (value !== undefined) return { key, value, from: "file", where: configFile(env) };
  problems.push(`${key} in ${configFile(env)} is ${JSON.stringify(given)}, which is not ${SETTINGS[key].expects}`);
  return undefined;
}

function parseSeconds(value: unknown): number | undefined {
  if (typeof value === "string" ? !/^\d+(\.\d+)?$/.test(value.trim()) : typeof value !== "number") return undefined;
  const seconds = Number(value);
  return seconds >= 0 && seconds <= 86_400 ? seconds : undefined;
}
