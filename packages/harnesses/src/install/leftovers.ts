import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Env, mothHome } from "@moth-companion/core/paths";
import type { Plan } from "../types.ts";
import { codeFile, launcherFile, programFile } from "./launcher.ts";
import { ledgerFile, notedFiles } from "./ledger.ts";
import { followLinks } from "./text-file.ts";
import { temporaryOwner } from "./write-atomic.ts";

/** Takes away what installers left beside a harness's files, and beside moth's own, when they were killed while they wrote. */
export function sweepLeftovers({ harness, changes }: Plan, env: Env): void {
  const files = [...changes.map(({ file }) => file), ...notedFiles(env, harness, "")];
  const own = [launcherFile(env), programFile(env), codeFile(programFile(env)), ledgerFile(mothHome(env))];
  for (const file of new Set([...files, ...own].map(followLinks))) sweepBeside(file);
}

function sweepBeside(file: string): void {
  const folder = dirname(file);
  try {
    for (const name of readdirSync(folder)) {
      const pid = temporaryOwner(name, basename(file));
      if (pid !== undefined && !isAlive(pid)) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // No such folder, or not to be changed: it is no worse than before.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
