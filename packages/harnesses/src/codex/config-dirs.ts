import { dirname } from "node:path";
import type { Env } from "@moth-companion/core/paths";
import { readLedger } from "../install/ledger.ts";
import { configDir } from "./detect.ts";
import { SOURCE } from "./payload.ts";

/** Where Codex may keep its records and sockets: the folder of the server's environment, and those moth was hooked into. */
export function listConfigDirs(env: Env): string[] {
  const hooked = Object.entries(readLedger(env)).filter(([, note]) => note.harness === SOURCE);
  return [...new Set([configDir(env), ...hooked.map(([file]) => dirname(file))])];
}
