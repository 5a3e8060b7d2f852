/** The server's own `~/.moth/run/<port>.json`: what `moth stop` and `moth doctor` find it by. */
import { join } from "node:path";
import { makeFolder } from "@moth-companion/core/folder";
import type { Env } from "@moth-companion/core/paths";
import { readRunRecord, type RunRecord } from "@moth-companion/core/run-records";
import { errorCode, ServerError } from "./errors.ts";
import { removeDrafts, removeIfPossible, runFolder, writeWhole } from "./files.ts";

/** Writes a server's record; returns the function that removes it again. Throws ServerError `HOME`. */
export function writeRunRecord(record: RunRecord, env: Env): () => void {
  const file = join(runFolder(env), `${record.port}.json`);
  try {
    makeFolder(runFolder(env), 0o700);
    removeDrafts(file);
    writeWhole(file, `${JSON.stringify(record)}\n`);
  } catch (error) {
    const advice = "Make its folder writable, or set MOTH_HOME to another one.";
    throw new ServerError("HOME", `The run record ${file} cannot be written (${errorCode(error)}). ${advice}`, { cause: error });
  }
  return () => {
    // Another server may have taken the port, and the file, since.
    if (readRunRecord(file)?.pid === record.pid) removeIfPossible(file);
  };
}
