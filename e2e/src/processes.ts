import { execFileSync, spawn } from "node:child_process";
import { PATIENCE, until } from "./wait.ts";

export interface Finished {
  /** undefined: ended by a signal. */
  code: number | undefined;
  stdout: string;
  stderr: string;
  /** Milliseconds it ran. */
  took: number;
}

export interface RunOptions {
  cwd: string;
  env: Record<string, string>;
  /** Milliseconds until it is ended and the run counts as failed. */
  within?: number;
  /** Told the process's id as soon as it runs. */
  started?: (pid: number) => void;
}

/** This process's own environment, for programs that belong to the suite and not to a world. */
export function inherited(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Runs a program to its end, without input. Rejects only when it cannot be started or does not end in time. */
export function run(program: string, args: readonly string[], options: RunOptions): Promise<Finished> {
  const within = options.within ?? PATIENCE * 3;
  return new Promise((resolve, reject) => {
    const begin = Date.now();
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    const out = { stdout: "", stderr: "" };
    if (child.pid) options.started?.(child.pid);
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out.stdout += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (out.stderr += chunk));
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      if (child.pid) endTree(child.pid);
    }, within);
    child.once("error", (cause) => {
      clearTimeout(timer);
      reject(new Error(`${program} did not start: ${cause.message}`, { cause }));
    });
    child.once("close", (code) => {
      clearTimeout(timer);
      if (late) reject(new Error(`${program} ${args.join(" ")} did not end within ${within} ms.\n${out.stdout}\n${out.stderr}`));
      else resolve({ code: code ?? undefined, ...out, took: Date.now() - begin });
    });
  });
}

export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Kills a process at once, and on Windows what it started. On POSIX its children notice by themselves, or the run's last check does. */
export function endTree(pid: number): void {
  try {
    if (process.platform === "win32") execFileSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" });
    else process.kill(pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

/** Asks a process to end, and makes it end when it does not. */
export async function endGently(pid: number): Promise<void> {
  if (!alive(pid)) return;
  try {
    process.kill(pid, "SIGTERM");
    await until(`process ${pid} to end`, () => !alive(pid), { within: 5000 });
  } catch {
    endTree(pid);
  }
}
