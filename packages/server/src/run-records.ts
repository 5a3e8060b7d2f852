/** `~/.moth/run/<port>.json`: which servers run here, so that `moth stop` and `moth doctor` find them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "@moth-companion/core/alive";
import { makeFolder } from "@moth-companion/core/folder";
import type { Env } from "@moth-companion/core/paths";
import { errorCode, ServerError } from "./errors.ts";
import { removeIfPossible, runFolder, writeWhole } from "./files.ts";

export interface RunRecord {
  pid: number;
  host: string;
  port: number;
  version: string;
  /** Milliseconds since 1970. */
  started: number;
}

/**
 * The servers whose records stand in moth's folder and whose processes run. Files that are no records are passed over. The pid may
 * have been given to another program since: ask `GET /api/health` before ending it.
 */
export function readRunRecords(env: Env = process.env): RunRecord[] {
  let names: string[];
  try {
    names = readdirSync(runFolder(env));
  } catch {
    return [];
  }
  return names
    .filter((name) => /^\d{1,5}\.json$/.test(name))
    .map((name) => readRecord(join(runFolder(env), name)))
    .filter((record): record is RunRecord => record !== undefined && isAlive(record.pid))
    .sort((a, b) => a.port - b.port);
}

/** Writes a server's record; returns the function that removes it again. Throws ServerError `HOME`. */
export function writeRunRecord(record: RunRecord, env: Env): () => void {
  const file = join(runFolder(env), `${record.port}.json`);
  try {
    makeFolder(runFolder(env), 0o700);
    writeWhole(file, `${JSON.stringify(record)}\n`);
  } catch (error) {
    const advice = "Make its folder writable, or set MOTH_HOME to another one.";
    throw new ServerError("HOME", `The run record ${file} cannot be written (${errorCode(error)}). ${advice}`, { cause: error });
  }
  return () => {
    // Another server may have taken the port, and the file, since.
    if (readRecord(file)?.pid === record.pid) removeIfPossible(file);
  };
}

function readRecord(file: string): RunRecord | undefined {
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
