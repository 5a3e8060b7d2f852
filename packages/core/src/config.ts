import { readFileSync, statSync } from "node:fs";
import { type Address, configFile, type Env, isHost, serverAddress } from "./paths.ts";

export { isHost } from "./paths.ts";

/** The settings file's object, unknown keys and all. */
export type Config = Readonly<Record<string, unknown>>;

/** What the settings file holds, or why it cannot be used, with its text where that could be read. A missing file is an empty object. */
export type ConfigRead = { ok: true; config: Config } | { ok: false; file: string; problem: string; text?: string };

/** Reads the settings file. Never throws: a broken file is a `problem`, a sentence for the person. */
export function readConfig(env: Env = process.env): ConfigRead {
  const file = configFile(env);
  let text: string;
  try {
    // Asked first: most people have none, and a caught error costs a hook more than the question.
    if (!statSync(file, { throwIfNoEntry: false })) return { ok: true, config: {} };
    text = readFileSync(file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    return code === "ENOENT" ? { ok: true, config: {} } : { ok: false, file, problem: `cannot be read (${code})` };
  }
  try {
    const config: unknown = JSON.parse(text.replace(/^\uFEFF/, "") || "{}");
    if (typeof config === "object" && config !== null && !Array.isArray(config)) return { ok: true, config: config as Config };
    return { ok: false, file, problem: "is not a JSON object", text };
  } catch (error) {
    return { ok: false, file, problem: `is not valid JSON (${(error as Error).message})`, text };
  }
}

/** Where a setting's value comes from. */
export type Origin = "default" | "file" | "env";

/**
 * Whether moth's lines show inside the harness: `MOTH_SHOW_IN_HARNESS`, else the file's `show_in_harness`, else off.
 * Read at every turn, so that a change needs no restart of the harness.
 */
export function showInHarness(env: Env = process.env): { value: boolean; origin: Origin } {
  const fromEnv = parseSwitch(env["MOTH_SHOW_IN_HARNESS"]);
  if (fromEnv !== undefined) return { value: fromEnv, origin: "env" };
  const read = readConfig(env);
  const fromFile = read.ok ? parseSwitch(read.config["show_in_harness"]) : undefined;
  return fromFile === undefined ? { value: false, origin: "default" } : { value: fromFile, origin: "file" };
}

/**
 * Whether the person may answer agents through moth: `MOTH_ANSWERS`, else the file's `answers`, else off. Only then do adapters tell
 * what an agent asks. Never while content is off. Read at every wait.
 */
export function answersOn(env: Env = process.env): boolean {
  return answersOffBy(env) === undefined;
}

/** A setting that can keep answers off. */
export type AnswersOffBy = "answers" | "content";

/** What to say while answers are off, and how they are turned on. @param what "Answering through moth" @param self how the person calls moth */
export function offSentence(what: string, off: AnswersOffBy, self = "moth"): string {
  return `${what} is off${off === "content" ? " while content is" : ""}. Turn it on with: ${self} config ${off} on`;
}

/** The setting that keeps answers off, the one to turn on first. undefined: they are on. */
export function answersOffBy(env: Env = process.env): AnswersOffBy | undefined {
  if (!switchOf(env["MOTH_ANSWERS"], settingsOf(env)["answers"], false)) return "answers";
  return contentOn(env) ? undefined : "content";
}

/**
 * Whether the person is away: then a hook may keep an agent's dialog back and ask through moth in its place. `MOTH_AWAY`, else the file's
 * `away`, else off. Never while answers are off. Read at every wait, and while one is held.
 */
export function awayOn(env: Env = process.env): boolean {
  return switchOf(env["MOTH_AWAY"], settingsOf(env)["away"], false) && answersOn(env);
}

/**
 * Whether adapters tell what agents write: `MOTH_CONTENT`, else the file's `content`, else on. While not, a turn is told by its length and
 * its outcome alone. A value that is no switch counts as off, and so does a file that speaks of it, or may, and cannot be read: who has once
 * turned it off is never told on by a typing error. Read at every report.
 */
export function contentOn(env: Env = process.env): boolean {
  const fromEnv = env["MOTH_CONTENT"]?.trim();
  if (fromEnv) return parseSwitch(fromEnv) === true;
  const read = readConfig(env);
  if (!read.ok) return read.text !== undefined && !read.text.includes("content");
  const given = read.config["content"];
  return given === undefined || parseSwitch(given) === true;
}

function settingsOf(env: Env): Config {
  const read = readConfig(env);
  return read.ok ? read.config : {};
}

function switchOf(fromEnv: unknown, fromFile: unknown, otherwise: boolean): boolean {
  return parseSwitch(fromEnv) ?? parseSwitch(fromFile) ?? otherwise;
}

/** A switch in any spelling a person uses: on/off, true/false, yes/no, 1/0. Anything else is undefined: as if not set. */
export function parseSwitch(value: unknown): boolean | undefined {
  const word = typeof value === "boolean" || typeof value === "number" ? String(value) : value;
  if (typeof word !== "string") return undefined;
  if (/^\s*(on|true|yes|1)\s*$/i.test(word)) return true;
  if (/^\s*(off|false|no|0)\s*$/i.test(word)) return false;
  return undefined;
}

/**
 * Where moth is reached: `MOTH_URL`, else the file's `host` and `port`, else the default. Adapters and commands ask here, so that
 * `moth config port 5000` moves both ends. A bad value in the file counts as missing.
 * @returns undefined when `MOTH_URL` is set and is no `http://` URL
 */
export function mothAddress(env: Env = process.env): Address | undefined {
  const address = serverAddress(env);
  if (!address || env["MOTH_URL"]?.trim()) return address;
  const read = readConfig(env);
  if (!read.ok) return address;
  const { host, port } = read.config;
  return { host: isHost(host) ? reachable(host) : address.host, port: isPort(port) ? Number(port) : address.port };
}

/** Whether a setting's value can be a port: a whole number from 1 to 65535, also as text. */
export function isPort(value: unknown): boolean {
  if (typeof value !== "number" && !(typeof value === "string" && /^\d+$/.test(value))) return false;
  return Number.isInteger(Number(value)) && Number(value) >= 1 && Number(value) <= 65_535;
}

/** A server that listens on every interface is reached on this machine's own. */
export function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}
