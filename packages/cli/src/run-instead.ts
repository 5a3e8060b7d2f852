import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Env } from "@moth-companion/core/paths";
import { Failure } from "./errors.ts";

/** What the terminal sends to all programs in it: the other program's affair. */
const FROM_TERMINAL = ["SIGINT", "SIGQUIT"] as const;
/** What is sent to this process alone, and meant for the other. */
const PASSED_ON = ["SIGTERM", "SIGHUP"] as const;

function ignore(): void {}

/**
 * Runs another program in this one's place: its terminal, its signals, its exit code. No shell is between.
 * @returns its exit code; 128 and the signal's number when a signal ended it
 * @throws Failure when it cannot be started
 */
export function runInstead(
  program: string,
  args: readonly string[],
  where: { cwd: string | undefined; env: Env },
): Promise<number> {
  return new Promise((resolve, reject) => {
    // As a shell's cd would: some programs go by the variable alone.
    const moved = where.cwd === undefined ? {} : { PWD: where.cwd };
    const child = spawn(program, args, { cwd: where.cwd, env: { ...where.env, ...moved }, stdio: "inherit" });
    const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
    for (const signal of FROM_TERMINAL) process.on(signal, ignore);
    for (const signal of PASSED_ON) process.on(signal, passOn);
    const release = (): void => {
      for (const signal of FROM_TERMINAL) process.off(signal, ignore);
      for (const signal of PASSED_ON) process.off(signal, passOn);
    };
    child.once("error", (error: NodeJS.ErrnoException) => {
      release();
      reject(new Failure("FAILED", `${program} cannot be started (${error.code ?? error.message})`, "Try it by itself"));
    });
    child.once("exit", (code, signal) => {
      release();
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}
