import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { parsed, text } from "@moth-companion/core/fields";
import type { Env } from "@moth-companion/core/paths";
import { configDir } from "./detect.ts";

/** Bytes in which a recording's first line ends: it holds ids and times. */
const FIRST_LINE = 4096;

/** Where a session is recorded: `tmp/<project>/chats/session-<time>-<beginning of its id>.jsonl` (0.61.0). */
export function findRecording(env: Env, session: string): string | undefined {
  const projects = join(configDir(env), "tmp");
  for (const project of namesIn(projects)) {
    const chats = join(projects, project, "chats");
    for (const name of namesIn(chats)) {
      const file = join(chats, name);
      if (name.endsWith(`-${session.slice(0, 8)}.jsonl`) && sessionOf(file) === session) return file;
    }
  }
  return undefined;
}

function sessionOf(file: string): string | undefined {
  try {
    const opened = openSync(file, "r");
    try {
      const bytes = Buffer.alloc(FIRST_LINE);
      const [line] = bytes.toString("utf8", 0, readSync(opened, bytes)).split("\n");
      return text(parsed(line), "sessionId");
    } finally {
      closeSync(opened);
    }
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
