import { statSync } from "node:fs";
import { resolve } from "node:path";
import { findHarness, findProgram, type Harness, harnesses } from "@moth-companion/harnesses";
import { type Command, command } from "../command.ts";
import { Failure } from "../errors.ts";
import type { Io } from "../io.ts";
import { runInstead } from "../run-instead.ts";
import { suggest } from "../suggest.ts";

export const start: Command = command({
  operands: "<harness> [-- arguments]",
  maxOperands: Infinity,
  args: {
    prompt: {
      type: "string",
      valueHint: "TEXT",
      description: "what it begins with, as it stands; --prompt=TEXT when it begins with a -",
    },
    cwd: { type: "string", valueHint: "DIR", description: "the folder it works in, instead of this one" },
  },
  notes: ["Starts it in this terminal, as its own command does; what follows -- goes to it. Its exit code is moth's."],
  operandChoices: async () => startable().map(({ id }) => id),
  async run(args, io) {
    const [id, ...more] = args._;
    const harness = harnessOf(id);
    const cwd = folderOf(args.cwd);
    const own = argumentsOf(harness, args.prompt);
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
    return runInstead(program, [...more, ...own], { cwd, env: io.env });
  },
});

function startable(): Harness[] {
  return harnesses.filter(({ launch }) => launch !== undefined);
}

/** @throws Failure USAGE */
function harnessOf(id: string | undefined): Harness {
  const known = startable().map((one) => one.id);
  if (id === undefined) throw new Failure("USAGE", "start which harness?", `moth starts: ${known.join(", ")}`);
  const harness = findHarness(id);
  if (harness?.launch) return harness;
  if (harness) throw new Failure("USAGE", `moth does not start ${harness.name}`, `Start it yourself: ${harness.program}`);
  const near = suggest(id, known);
  throw new Failure(
    "USAGE",
    `there is no harness "${id}"`,
    `${near ? `Did you mean ${near}? ` : ""}moth starts: ${known.join(", ")}`,
  );
}

/** @throws Failure USAGE for a prompt that the harness would take for something else */
function argumentsOf({ name, launch }: Harness, prompt: string | undefined): string[] {
  if (prompt === undefined || !launch) return [];
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
function folderOf(cwd: string | undefined): string | undefined {
  if (cwd === undefined) return undefined;
  const folder = resolve(cwd);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new Failure("USAGE", `there is no folder ${folder}`, "Give --cwd a folder that exists");
}

function requireTerminal({ name }: Harness, { stdin, stdout }: Io): void {
  if (stdin.isTTY && stdout.isTTY) return;
  throw new Failure(
    "USAGE",
    `${name} is started in a terminal, and here is none`,
    "In a script, call its own command for one prompt",
  );
}
