import { homedir, userInfo } from "node:os";
import { isAbsolute, join, resolve, sep } from "node:path";
import { DEFAULT_HOST, DEFAULT_PORT } from "./protocol.ts";

/** The environment variables a function looks at; `process.env` unless a test says otherwise. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The folder moth owns: `MOTH_HOME`, else `~/.moth`. An empty variable counts as missing. */
export function mothHome(env: Env = process.env): string {
  const own = env["MOTH_HOME"];
  if (!own) return within(userHome(env), ".moth");
  return isPlain(own) ? own : resolve(own);
}

/** The file that holds the token: `MOTH_TOKEN_FILE`, else `token` in moth's folder. */
export function tokenFile(env: Env = process.env): string {
  return env["MOTH_TOKEN_FILE"] ? resolve(env["MOTH_TOKEN_FILE"]) : within(mothHome(env), "token");
}

/** The settings file: `MOTH_CONFIG_FILE`, else `config.json` in moth's folder. */
export function configFile(env: Env = process.env): string {
  return env["MOTH_CONFIG_FILE"] ? resolve(env["MOTH_CONFIG_FILE"]) : within(mothHome(env), "config.json");
}

/** As `join` has it. Not always by `join`: it looks at each character, often enough that Node compiles it once more in every hook. */
function within(folder: string, name: string): string {
  return isPlain(folder) ? `${folder}/${name}` : join(folder, name);
}

/** Whether a path begins at the root and has nothing in it that `resolve` would change. */
function isPlain(path: string): boolean {
  return sep === "/" && path.startsWith("/") && !["//", "/./", "/../"].some((odd) => `${path}/`.includes(odd));
}

/**
 * The person's home folder. `HOME` and `USERPROFILE` come first so that a test, or a harness started elsewhere, decides. One that is empty,
 * or that depends on where a program runs, is none: then it is the one that the system knows of.
 */
export function userHome(env: Env = process.env): string {
  const given = process.platform === "win32" ? env["USERPROFILE"] : env["HOME"];
  if (given && isAbsolute(given)) return given;
  try {
    const known = given === undefined ? homedir() : "";
    return isAbsolute(known) ? known : userInfo().homedir;
  } catch {
    // A user whom the system does not know, as some containers have.
    return resolve("/");
  }
}

/** Where a server listens. `host` is as in a URL's authority, without the brackets of an IPv6 address. */
export interface Address {
  host: string;
  port: number;
}

/**
 * The server's address: `MOTH_URL`, else `http://127.0.0.1:4747`.
 * @returns undefined when `MOTH_URL` is set and is no `http://` URL: then there is nothing to talk to.
 */
export function serverAddress(env: Env = process.env): Address | undefined {
  const given = env["MOTH_URL"]?.trim();
  if (!given) return { host: DEFAULT_HOST, port: DEFAULT_PORT };
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    return undefined;
  }
  if (url.protocol !== "http:") return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isHost(host) ? { host, port: url.port ? Number(url.port) : 80 } : undefined;
}

/** Whether a value can be a host to listen on, or to reach: a name or an address, without brackets or port. */
export function isHost(value: unknown): value is string {
  if (typeof value !== "string" || value.length > 253) return false;
  if (value.includes(":")) return isIPv6(value.replace(/%\w+$/, ""));
  // What ends in a number is an address, and no name.
  if (/(?:^|\.)\d+\.?$/.test(value)) return /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(value);
  return /^(?:\w(?:[\w-]{0,61}\w)?(?:\.|$))+$/.test(value);
}

function isIPv6(value: string): boolean {
  try {
    return new URL(`http://[${value}]`).hostname !== "";
  } catch {
    return false;
  }
}

/** `host:port` as a URL and a Host header write it. */
export function authority(address: Address): string {
  return `${address.host.includes(":") ? `[${address.host}]` : address.host}:${address.port}`;
}
