/** `~/.moth/run/<port>.json`: which servers run here, written by each, so that others of moth's programs find them. */
import { readdirSync, readFileSync } from "node:fs";
import { isAlive } from "./alive.ts";
import { type Env, mothHome } from "./paths.ts";

export interface RunRecord {
  pid: number;
  host: string;
  port: number;
  version: string;
  /** Milliseconds since 1970. */
  started: number;
}

/**
 * The servers whose records stand in moth's folder and whose processes run, by port. Files that are no records are passed over. The pid
 * may have been given to another program since: ask `GET /api/health` before ending it.
 */
export function readRunRecords(env: Env = process.env): RunRecord[] {
  const folder = `${mothHome(env)}/run`;
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => /^\d{1,5}\.json$/.test(name))
    .map((name) => readRunRecord(`${folder}/${name}`))
    .filter((record): record is RunRecord => record !== undefined && isAlive(record.pid))
    .sort((a, b) => a.port - b.port);
}

/** One record, its process alive or not; undefined: there is none, or the file is none. */
export function readRunRecord(file: string): RunRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is RunRecord {
  if (typeof value !== "object" || value === null) return false;
  const { pid, host, port, version, started } = value as Record<string, unknown>;
  return (
    typeof pid === "number" &&
    Number.isSafeInteger(pid) &&
    pid > 0 &&
    typeof host === "string" &&
    typeof port === "number" &&
    Number.isInteger(port) &&
    typeof version === "string" &&
    typeof started === "number"
  );
}
