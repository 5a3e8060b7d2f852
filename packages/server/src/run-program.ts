import { execFile } from "node:child_process";
import type { Env } from "@moth-companion/core/paths";
import { oneLine } from "@moth-companion/core/text";

const TIMEOUT_MS = 10_000;

/**
 * Runs a program to its end, at most `timeoutMs` (10 seconds), without a shell: what stands in `args` and `env` is data.
 * @returns what it printed
 * @throws Error with a sentence for the person
 */
export function runProgram(
  [program = "", ...args]: readonly string[],
  env: Env,
  timeoutMs: number = TIMEOUT_MS,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      env: { ...env },
      timeout: timeoutMs,
      killSignal: "SIGKILL" as const,
      windowsHide: true,
      maxBuffer: 1024 * 1024,
    };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const { code, killed } = error;
      const why = killed
        ? `took longer than ${timeoutMs / 1000} seconds`
        : typeof code === "string"
          ? `cannot be started (${code})`
          : `ended with ${code ?? error.signal}${stderr.trim() ? `: ${oneLine(stderr.trim().split("\n").at(-1) ?? "").slice(0, 200)}` : ""}`;
      reject(new Error(`${program} ${why}`));
    });
    // Nothing comes: a program that reads what it is given to its end would wait for that.
    child.stdin?.on("error", () => {}).end();
  });
}
