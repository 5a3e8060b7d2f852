/** Whether what listens on moth's port is the person's moth: asked before it is told anything, the token above all. */
import { readFileSync } from "node:fs";
import { hostname, networkInterfaces } from "node:os";
import { type Address, type Env, mothHome } from "./paths.ts";
import { closePipe, isLoopback, openPipe } from "./pipe.ts";

/**
 * Whether the person's own moth runs at an address: its pipe is read, or the process of its run record is one of the person's. While it
 * runs, nobody else can listen there; while it does not, any user of the machine can.
 * @returns true also where that cannot be known: at another address of this machine, or where `MOTH_URL` or `MOTH_TOKEN_FILE` say whom
 * to talk to. Never for another machine: some harnesses read a repository's `.env`, and who made it must not have replies sent away.
 */
export function isOwnMoth(address: Address, env: Env = process.env): boolean {
  if (!isThisMachine(address)) return false;
  if (env["MOTH_URL"]?.trim() || env["MOTH_TOKEN_FILE"] || !isLoopback(address)) return true;
  return isKnown(address, env);
}

/** Whether a moth of the person's folder runs at an address of this machine, also when it is too busy to answer there. */
export function runsHere(address: Address, env: Env = process.env): boolean {
  // What moth's folder knows of a port says nothing of another machine's.
  return isThisMachine(address) && isKnown(address, env);
}

function isKnown(address: Address, env: Env): boolean {
  const pipe = openPipe(env, address);
  if (pipe === undefined) return isRecorded(address, env);
  closePipe(pipe);
  return true;
}

/** Whether an address is one of this machine's. Names are not looked up: who is asked, and what comes back, may be anybody's choice. */
export function isThisMachine(address: Address): boolean {
  const host = address.host.toLowerCase();
  if (isLoopback({ ...address, host })) return true;
  const own = hostname().toLowerCase();
  if (host === own || host === `${own}.local`) return true;
  return Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === host.replace(/%.*/, "")));
}

function isRecorded({ port }: Address, env: Env): boolean {
  try {
    const record: unknown = JSON.parse(readFileSync(`${mothHome(env)}/run/${port}.json`, "utf8"));
    const pid = typeof record === "object" && record !== null && "pid" in record ? record.pid : undefined;
    // Throws for another user's process too.
    return typeof pid === "number" && pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
