/** What this machine and environment give moth. */
import { lstatSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { type Env, mothHome, tokenFile } from "@moth-companion/core/paths";
import { readToken } from "@moth-companion/core/token";
import { readSettings } from "../settings.ts";
import { bad, type Check, ok } from "./check.ts";
import { obstacle } from "./folder.ts";

const OVERRIDES = ["MOTH_HOME", "MOTH_URL", "MOTH_TOKEN_FILE", "MOTH_CONFIG_FILE", "MOTH_SHOW_IN_HARNESS"];
const PROXIES = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];

export function checkNode(version: string): Check {
  const major = Number(version.replace(/^v/, "").split(".")[0]);
  return major >= 20
    ? ok("node", `Node ${version}`)
    : bad("fail", "node", `Node ${version} is too old`, "moth needs Node 20 or newer");
}

export function checkHome(env: Env): Check {
  const home = mothHome(env);
  const stats = look(home);
  const blocked = obstacle(home);
  const loose = stats?.isDirectory() ? checkPrivate("folder", home, stats, 0o700) : undefined;
  if (loose) return loose;
  if (blocked) return bad("fail", "folder", blocked.message, blocked.advice);
  return ok("folder", stats ? `${home} is yours alone` : `${home} is not there yet; moth up makes it`);
}

/** moth's own home within its folder, where a model has written something. */
export function checkDiary(env: Env): Check[] {
  const home = join(mothHome(env), "home");
  const stats = look(home);
  if (!stats) return [];
  // A model writes nothing where its home is not what it should be.
  if (!stats.isDirectory())
    return [bad("fail", "home", `${home} is no folder, so moth's model keeps no diary there`, `Move ${home} away`)];
  if (!look(join(home, ".made-by-moth")))
    return [
      bad(
        "warn",
        "home",
        `${home} was not made by moth, so its model keeps no diary there`,
        `Move ${home} away, or: moth config voice.home off`,
      ),
    ];
  const loose = checkPrivate("home", home, stats, 0o700);
  return [loose ?? ok("home", `${home} is yours and moth's alone`)];
}

export function checkToken(env: Env): Check {
  const file = tokenFile(env);
  const stats = look(file);
  // What keeps moth from making it is told of its folder.
  if (!stats) return ok("token", `${file} is not there yet${obstacle(dirname(file)) ? "" : "; moth up makes it"}`);
  const remove = `Remove it and start moth again: it makes a new one`;
  if (!stats.isFile()) return bad("fail", "token", `${file} is not a plain file`, remove);
  const loose = checkPrivate("token", file, stats, 0o600);
  if (loose) return loose;
  return readToken(env) ? ok("token", `${file} is yours alone`) : bad("fail", "token", `${file} holds no usable token`, remove);
}

export function checkSettings(env: Env): Check[] {
  const { problems } = readSettings(env);
  if (problems.length === 0) return [ok("settings", "every setting can be used")];
  return problems.map((problem) => bad("fail", "settings", problem, "Mend it, or see what holds: moth config"));
}

export function checkProxies(env: Env): Check {
  const set = PROXIES.filter((name) => env[name]);
  return ok("proxy", set.length === 0 ? "no proxy is set" : `${set.join(", ")} set; moth goes past it, to this machine only`);
}

/** @param plugins names of the harnesses moth is hooked into by a plugin: those, other than command hooks, do not carry moth's folder */
export function checkOverrides(env: Env, plugins: readonly string[]): Check {
  const set = OVERRIDES.filter((name) => env[name]);
  if (set.length === 0) return ok("overrides", "no MOTH_ variable is set");
  const seen = `in force: ${set.map((name) => `${name}=${env[name]}`).join(" ")}`;
  const reach = set.filter((name) => name !== "MOTH_SHOW_IN_HARNESS" && name !== "MOTH_HOME");
  const advice = [
    ...(reach.length > 0
      ? [`Harnesses report to this moth only where ${reach.join(" and ")} ${reach.length > 1 ? "are" : "is"} set as well`]
      : []),
    ...(env["MOTH_HOME"] && plugins.length > 0
      ? [`${plugins.join(", ")}: the plugin finds this moth's folder only where MOTH_HOME is set as well`]
      : []),
  ];
  return advice.length > 0 ? bad("warn", "overrides", seen, advice.join(". ")) : ok("overrides", seen);
}

function checkPrivate(check: string, path: string, stats: Stats, mode: number): Check | undefined {
  // Windows keeps others out by the profile folder's own rules.
  if (process.platform === "win32" || stats.isSymbolicLink()) return undefined;
  if (process.getuid && stats.uid !== process.getuid()) {
    return bad(
      "fail",
      check,
      `${path} belongs to another user`,
      `Take it over (sudo chown "$USER" ${path}), or set MOTH_HOME to a folder of yours`,
    );
  }
  if ((stats.mode & 0o077) === 0) return undefined;
  return bad(
    "fail",
    check,
    `${path} is open to other users (mode ${(stats.mode & 0o777).toString(8)})`,
    `chmod ${mode.toString(8)} ${path}`,
  );
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
