/** Whether what listens on moth's port is the person's moth: asked before it is told anything, the token above all. */
import { readFileSync } from "node:fs";
import { type Address, type Env, mothHome } from "./paths.ts";
import { closePipe, isLoopback, openPipe } from "./pipe.ts";

/**
 * Whether the person's own moth runs at an address: its pipe is read, or the process of its run record is one of the person's. While it
 * runs, nobody else can listen there; while it does not, any user of the machine can.
 * @returns true also where that cannot be known: on another machine, or where the person says by `MOTH_URL` or `MOTH_TOKEN_FILE`
 * whom to talk to
 */
export function isOwnMoth(address: Address, env: Env = process.env): boolean {
  if (env["MOTH_URL"]?.trim() || env["MOTH_TOKEN_FILE"] || !isLoopback(address)) return true;
  const pipe = openPipe(env, address);
  if (pipe === undefined) return isRecorded(address, env);
  closePipe(pipe);
  return true;
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
