/** `~/.moth/run/heard.json`: when each harness was last heard. No content, only source and time. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "@moth-companion/core/folder";
import type { Env } from "@moth-companion/core/paths";
import type { Clock } from "./clock.ts";
import { runFolder, writeWhole } from "./files.ts";

const WRITE_EVERY_MS = 2000;
const MAX_SOURCES = 100;

/** When each harness was last heard by a server here: source → milliseconds since 1970. */
export function lastHeard(env: Env = process.env): Record<string, number> {
  return Object.fromEntries(readHeard(env));
}

/** Keeps the file. A disk that cannot be written is no reason to stop hearing. */
export interface Heard {
  note(source: string): void;
  flush(): void;
}

export function createHeard(env: Env, clock: Clock): Heard {
  const fresh = new Map<string, number>();
  let cancel: (() => void) | undefined;

  function flush(): void {
    cancel?.();
    cancel = undefined;
    if (fresh.size === 0) return;
    // Another server, on another port, keeps the same file.
    const all = readHeard(env);
    for (const [source, time] of fresh) all.set(source, Math.max(time, all.get(source) ?? 0));
    fresh.clear();
    const newest = [...all].sort((a, b) => b[1] - a[1]).slice(0, MAX_SOURCES);
    try {
      makeFolder(runFolder(env), 0o700);
      writeWhole(heardFile(env), `${JSON.stringify(Object.fromEntries(newest))}\n`);
    } catch {
      // Then `moth hooks` shows an older time.
    }
  }

  return {
    note(source) {
      fresh.set(source, clock.now());
      cancel ??= clock.after(WRITE_EVERY_MS, flush);
    },
    flush,
  };
}

function heardFile(env: Env): string {
  return join(runFolder(env), "heard.json");
}

function readHeard(env: Env): Map<string, number> {
  try {
    const value: unknown = JSON.parse(readFileSync(heardFile(env), "utf8"));
    if (typeof value !== "object" || value === null || Array.isArray(value)) return new Map();
    return new Map(Object.entries(value).filter((entry): entry is [string, number] => Number.isFinite(entry[1])));
  } catch {
    return new Map();
  }
}
