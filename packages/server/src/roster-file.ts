/** `run/<port>.roster.json` in moth's folder: who was there, for a moth that is started anew. No content, and only for a minute. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "@moth-companion/core/folder";
import type { Env } from "@moth-companion/core/paths";
import * as z from "zod/mini";
import { isLoose, isOwn, runFolder, writeWhole } from "./files.ts";
import { type KeptSession, readKept } from "./kept-session.ts";
import type { Moment } from "./machine.ts";

/** Another number when an older moth would misread the file. */
const VERSION = 1;
/** Characters of a file, at most: a thousand sessions have some 300,000. */
const MAX_LENGTH = 2 * 1024 * 1024;

const headSchema = z.object({
  roster: z.literal(VERSION),
  moment: z.object({ id: z.optional(z.string()), uptime: z.number(), clock: z.number() }),
  sessions: z.array(z.unknown()),
});

export function rosterFile(port: number, env: Env): string {
  return join(runFolder(env), `${port}.roster.json`);
}

/** The sessions as they are written; of too many the first ones. */
export function rosterText(sessions: readonly KeptSession[]): string {
  const rows: string[] = [];
  let length = 0;
  for (const session of sessions) {
    const row = JSON.stringify(session);
    if ((length += row.length) > MAX_LENGTH / 2) break;
    rows.push(row);
  }
  return rows.join(",\n");
}

/** @param rows of {@link rosterText} @throws what the file system throws */
export function writeRoster(file: string, moment: Moment, rows: string): void {
  makeFolder(dirname(file), 0o700);
  writeWhole(file, `{"roster":${VERSION},"moment":${JSON.stringify(moment)},"sessions":[\n${rows}\n]}\n`);
}

/** What stands in it, sessions that are none left out; undefined: there is no such file, or it is none of moth's. Never throws. */
export function readRoster(file: string): { moment: Moment; sessions: KeptSession[] } | undefined {
  let fd: number | undefined;
  try {
    // Never through a link, and no wait for a pipe.
    fd = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(fd);
    if (!stats.isFile() || !isOwn(stats) || isLoose(stats) || stats.size > MAX_LENGTH) return undefined;
    const read = headSchema.safeParse(JSON.parse(readFileSync(fd, "utf8")));
    if (!read.success) return undefined;
    const { moment, sessions } = read.data;
    return { moment, sessions: sessions.map(readKept).filter((session) => session !== undefined) };
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
