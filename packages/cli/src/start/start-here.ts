/** Starting a harness in this terminal: by `moth start`, and by what takes a session up again. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { findHarness, findProgram, type Harness, harnesses, type Launch } from "@moth-companion/harnesses";
import { Failure } from "../errors.ts";
import type { Io } from "../io.ts";
import { runInstead } from "../run-instead.ts";
import { suggest } from "../suggest.ts";

export type Startable = Harness & { launch: Launch };

/** Those that moth starts. */
export function startable(): Startable[] {
  return harnesses.filter((one): one is Startable => one.launch !== undefined);
}

/** @throws Failure USAGE when moth does not start it, or there is none */
export function harnessToStart(id: string): Startable {
  const known = startable();
  const found = known.find((one) => one.id === id);
  if (found) return found;
  const other = findHarness(id);
  if (other) throw new Failure("USAGE", `moth does not start ${other.name}`, `Start it yourself: ${other.program}`);
  const ids = known.map((one) => one.id);
  const near = suggest(id, ids);
  throw new Failure(
    "USAGE",
    `there is no harness "${id}"`,
    `${near ? `Did you mean ${near}? ` : ""}moth starts: ${ids.join(", ")}`,
  );
}

/** @throws Failure USAGE for a prompt that the harness would take for something else */
export function promptArguments({ name, launch }: Startable, prompt: string | undefined): string[] {
  if (prompt === undefined) return [];
  if ("noPrompt" in launch)
    throw new Failure("USAGE", `${name} cannot be given a prompt: ${launch.noPrompt}`, "Start it without --prompt");
  if (prompt.includes("\0"))
    throw new Failure("USAGE", "the prompt has a NUL character in it", "No program can be given one. Take it out");
  if (prompt.trim() === "") throw new Failure("USAGE", "the prompt is empty", "Leave --prompt out, or write what it is to do");
  const [, mark] = /^\s*([/!@])/.exec(prompt) ?? [];
  if (mark === undefined) return launch.withPrompt(prompt);
  throw new Failure(
    "USAGE",
    `a prompt that begins with "${mark}" may be a command to ${name}`,
    "Put a word before it, or type it in its window",
  );
}

/** @throws Failure USAGE */
export function folderOf(cwd: string | undefined): string | undefined {
  if (cwd === undefined) return undefined;
  const folder = resolve(cwd);
  if (isFolder(folder)) return folder;
  throw new Failure("USAGE", `there is no folder ${folder}`, "Give --cwd a folder that exists");
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * Runs the harness in this one's place.
 * @param words its arguments, as they stand
 * @returns its exit code
 * @throws Failure when it is not here, or this is no terminal
 */
export function startHere(harness: Startable, words: readonly string[], cwd: string | undefined, io: Io): Promise<number> {
  const program = findProgram(io.env, harness.program);
  if (!program) {
    throw new Failure(
      "FAILED",
      `${harness.name} is not installed here: there is no ${harness.program} on PATH`,
      "See moth hooks",
    );
  }
  if (/\.(?:cmd|bat)$/i.test(program)) {
    throw new Failure("FAILED", `${program} is a script that only a shell runs`, `Start it yourself: ${harness.program}`);
  }
  requireTerminal(harness, io);
  return runInstead(program, words, { cwd, env: io.env });
}

function requireTerminal({ name }: Harness, { stdin, stdout }: Io): void {
  if (stdin.isTTY && stdout.isTTY) return;
  throw new Failure(
    "USAGE",
    `${name} is started in a terminal, and here is none`,
    "In a script, call its own command for one prompt",
  );
}
