import { execFile, spawn } from "node:child_process";
import { dirname, isAbsolute, join } from "node:path";
import { findProgram } from "@moth-companion/harnesses";
import type { Env } from "@moth-companion/core/paths";
import { Failure } from "../errors.ts";

/** A program with its arguments, as the person would type it. No word holds a space or a sign that a shell obeys. */
export type Words = readonly [program: string, ...args: string[]];

export interface Where {
  cwd: string;
  env: Env;
}

const ASK_TIMEOUT_MS = 60_000;

/**
 * What a program prints, without a look at its exit code: npm tells its errors in its output.
 * @throws Failure when it is not there, or takes longer than a minute
 */
export function outputOf([name, ...args]: Words, { cwd, env }: Where): Promise<{ ok: boolean; out: string; err: string }> {
  const program = find(name, env);
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...env }, timeout: ASK_TIMEOUT_MS, windowsHide: true, shell: isScript(program) };
    execFile(quoted(program), args, options, (error, out, err) => {
      if (error?.killed)
        reject(new Failure("FAILED", `${name} took longer than a minute`, `Try it by itself: ${typed([name, ...args])}`));
      else resolve({ ok: !error, out, err });
    });
  });
}

/** Runs a program in this terminal. @throws Failure when it is not there, or does not end with 0 */
export function must(words: Words, { cwd, env }: Where): Promise<void> {
  const [name, ...args] = words;
  const program = find(name, env);
  return new Promise((resolve, reject) => {
    const child = spawn(quoted(program), args, {
      cwd,
      env: { ...env },
      stdio: ["ignore", "inherit", "inherit"],
      shell: isScript(program),
    });
    const fail = (how: string): void =>
      reject(
        new Failure(
          "FAILED",
          `${typed(words)} ${how}; see above`,
          `moth is as it was unless that says otherwise. Try it by itself, in ${cwd}`,
        ),
      );
    child.once("error", (error: NodeJS.ErrnoException) => fail(`cannot be started (${error.code ?? error.message})`));
    child.once("exit", (code, signal) => (code === 0 ? resolve() : fail(`ended with ${signal ?? code}`)));
  });
}

/** As it is typed. */
export function typed(words: Words): string {
  return words.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`)).join(" ");
}

function find(name: string, env: Env): string {
  if (isAbsolute(name)) return name;
  // npm comes with Node, and Node may be started by its path.
  const program = findProgram(env, name, [join(dirname(process.execPath), name)]);
  if (program === undefined)
    throw new Failure("FAILED", `${name} was not found on PATH`, `Install ${name}, or update moth as you installed it`);
  return program;
}

/** Windows runs a script in a shell only. */
function isScript(program: string): boolean {
  return /\.(?:cmd|bat)$/i.test(program);
}

function quoted(program: string): string {
  return isScript(program) ? `"${program}"` : program;
}
