import type { Env } from "@moth-companion/core/paths";

/** Tells what a harness starts which process it was started by. */
const MARK = "MOTH_AGENT_PID";

/** Whether another harness process that is still alive started this one, however many shells lie between. */
export function isInside(env: Env, pid: number, isAlive: (pid: number) => boolean = alive): boolean {
  const outer = Number(env[MARK]);
  return Number.isInteger(outer) && outer > 0 && outer !== pid && isAlive(outer);
}

/** Leaves the mark for what this process will start. */
export function mark(env: Record<string, string | undefined>, pid: number): void {
  env[MARK] = String(pid);
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
