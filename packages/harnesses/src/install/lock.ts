/** One installer at a time: two that write the same settings would each undo the other's work. */
import { rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeFolder } from "@moth-companion/core/folder";
import { type Env, mothHome } from "@moth-companion/core/paths";
import { PlanError } from "./plan-error.ts";
import { readBytes } from "./text-file.ts";

const PATIENCE_MS = 10_000;
/** No installer holds the lock longer; one that seems to was killed. */
const STALE_MS = 30_000;

/** Runs alone among the installers of this moth folder. @throws PlanError BUSY after 10 s */
export async function locked<T>(env: Env, work: () => Promise<T>): Promise<T> {
  const file = join(mothHome(env), "run", "install.lock");
  try {
    makeFolder(dirname(file), 0o700);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    const message = `${dirname(file)} cannot be made (${code}). Check who owns moth's folder, and where HOME or MOTH_HOME points.`;
    throw new PlanError("ACCESS", message, { file, cause });
  }
  const deadline = Date.now() + PATIENCE_MS;
  while (!take(file)) {
    if (Date.now() > deadline)
      throw new PlanError("BUSY", `another moth is changing settings and does not finish. If there is none, delete ${file}.`, {
        file,
      });
    await sleep(20 + Math.random() * 30);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if (isStale(file)) rmSync(file, { force: true });
    return false;
  }
}

function isStale(file: string): boolean {
  try {
    if (Date.now() - statSync(file).mtimeMs > STALE_MS) return true;
    const pid = Number(readBytes(file)?.toString("utf8"));
    if (!Number.isInteger(pid) || pid <= 0) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
