/** What runs, and what once ran. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { mothAddress } from "@moth-companion/core/config";
import { authority, type Env, mothHome } from "@moth-companion/core/paths";
import { PROTOCOL } from "@moth-companion/core/protocol";
import { isOwnMoth, isThisMachine } from "@moth-companion/core/own-moth";
import { readRunRecords } from "@moth-companion/core/run-records";
import { readToken } from "@moth-companion/core/token";
import { busy, createClient, probe, requireAddress } from "../client.ts";
import { Failure } from "../errors.ts";
import { readSettings } from "../settings.ts";
import { isLookedFor, otherMoths } from "../up/others.ts";
import { portTaken } from "../up/running.ts";
import { bad, type Check, ok } from "./check.ts";

export async function checkServer(env: Env, version: string): Promise<Check> {
  try {
    const found = await probe(env);
    if (found.found === "nothing") return bad("warn", "server", `moth is not running at ${found.url}`, "Start it: moth up");
    if (found.found === "other") {
      return bad(
        "fail",
        "server",
        `another program holds ${found.url}: ${found.what}`,
        portTaken(found, readSettings(env)).next ?? "",
      );
    }
    if (found.found === "busy") throw busy(found.url);
    const { health, url } = found;
    if (health.protocol !== PROTOCOL) {
      const seen = `the moth at ${url} (${health.version}) speaks protocol ${health.protocol}, this command ${PROTOCOL}`;
      return bad("fail", "server", seen, "Bring both to one version: moth stop, then moth up -d");
    }
    const at = requireAddress(env);
    if (readToken(env) && isThisMachine(at) && !isOwnMoth(at, env)) {
      return bad(
        "fail",
        "server",
        `the moth at ${url} (process ${health.pid}, it says) is known to no record in ${mothHome(env)}, so it is not told the token`,
        `Was its run folder just cleared? Then it is known again in a few seconds. One that you started with another MOTH_HOME is named by MOTH_URL=${url}. Is it an old one of yours, whose records were deleted? Look at the process and end it, then: moth up -d`,
      );
    }
    await createClient(env).sessions();
    if (health.version !== version) {
      const seen = `the moth at ${url} is ${health.version}, this command ${version}`;
      return bad("warn", "server", seen, "Start the newer one: moth stop, then moth up -d");
    }
    return ok("server", `moth ${version} answers at ${url} and takes your token`);
  } catch (error) {
    if (error instanceof Failure) return bad("fail", "server", error.message, error.next ?? "See moth --help");
    throw error;
  }
}

/** Moths of this folder that run where nobody looks for one. */
export async function checkOthers(env: Env): Promise<Check[]> {
  const at = mothAddress(env);
  if (!at) return [];
  return (await otherMoths(env, at)).map((other) => {
    const runs = `another moth of yours runs at ${other.url} (process ${other.record.pid})`;
    return isLookedFor(other, env)
      ? bad(
          "warn",
          "server",
          `${runs}, where agents report that do not know of this MOTH_URL`,
          "Unset MOTH_URL, unless you mean it",
        )
      : bad(
          "warn",
          "server",
          `${runs}, but adapters and commands look for moth at http://${authority(at)}`,
          `Stop it: moth stop --port ${other.record.port}`,
        );
  });
}

export function checkRecords(env: Env): Check {
  const alive = new Set(readRunRecords(env).map((record) => `${record.port}.json`));
  const stale = listRun(env).filter((name) => /^\d{1,5}\.json$/.test(name) && !alive.has(name));
  if (stale.length === 0) return ok("records", "no leftover of a moth that crashed");
  const paths = stale.map((name) => join(mothHome(env), "run", name)).join(", ");
  return bad(
    "warn",
    "records",
    `a moth ended without cleaning up: ${paths}`,
    "Harmless; the next moth up there replaces it, moth forget --all deletes it",
  );
}

function listRun(env: Env): string[] {
  try {
    return readdirSync(join(mothHome(env), "run"));
  } catch {
    return [];
  }
}
