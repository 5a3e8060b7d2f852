/** CLIs from the Python registry: a virtual environment, filled as the committed list of versions says. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findPython } from "../../packages/hermes-plugin/test/python.ts";
import { inherited, run } from "./processes.ts";

/** The name of the list in a harness's folder of `clis/`. */
export const REQUIREMENTS = "requirements.txt";

/** Hermes 0.19.0, the newest there, runs on Python below this minor version. */
const BELOW = 14;

/** A list's first package. */
export function pinnedInList(file: string): { name: string; version: string } {
  const [, name = "unknown", version = "unknown"] = /^([\w.-]+)==(\S+)/m.exec(readFileSync(file, "utf8")) ?? [];
  return { name, version };
}

/** Fills a folder. @throws with what the person should know when there is no fitting Python, or a package is not to be had */
export async function installPythonCli(folder: string, within: number): Promise<void> {
  const python = findPython(BELOW);
  if (!python.found) throw new Error(python.reason);
  const env = inherited();
  const windows = process.platform === "win32";
  const pip = windows ? join(folder, "venv", "Scripts", "python.exe") : join(folder, "venv", "bin", "python");
  const steps = [
    [python.program, "-m", "venv", "venv"],
    [pip, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "-r", REQUIREMENTS],
  ] as const;
  for (const [program, ...args] of steps) {
    const done = await run(program, args, { cwd: folder, env, within });
    if (done.code !== 0) {
      const said = (done.stderr || done.stdout).trim().split("\n").at(-1) ?? "";
      throw new Error(`${program} ${args.slice(0, 3).join(" ")} failed: ${said}`);
    }
  }
}
