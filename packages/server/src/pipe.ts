/** The server's end of the pipe that hooks write their reports into: `run/<port>.in` in moth's folder. Not on Windows, which has no such files. */
import { closeSync, constants, fstatSync, lstatSync, openSync, renameSync } from "node:fs";
import { Socket } from "node:net";
import type { Env } from "@moth-companion/core/paths";
import { TOKEN_HEADER } from "@moth-companion/core/protocol";
import { pipeFile, writePipe } from "@moth-companion/core/pipe";
import type { Clock } from "./clock.ts";
import { removeDrafts, removeIfPossible } from "./files.ts";
import { createPieces } from "./pieces.ts";
import type { Head, Reply } from "./route.ts";
import { runProgram } from "./run-program.ts";

/**
 * How long making the pipe may take, and how long what is written into it may take to come out. The server takes reports meanwhile; one
 * that has no pipe costs every hook twice as much for as long as it runs, so a busy machine is waited for.
 */
const READY_MS = 5000;
const HELLO = "hello";

export interface PipeParts {
  port: number;
  env: Env;
  clock: Clock;
  /** Is given what a hook wrote: a report's kind, and the report as JSON. What it throws is told as a warning. */
  take: (kind: "agent" | "state", report: string) => void;
}

/**
 * Makes the pipe and reads it from then on. One that a killed server has left is replaced. Never rejects: where there can be none,
 * hooks send their reports to the port.
 * @returns the function that takes it away again
 */
export async function openPipe({ port, env, clock, take }: PipeParts): Promise<() => void> {
  if (process.platform === "win32") return () => {};
  const file = pipeFile(port, env);
  // Nobody finds it before it works.
  const draft = `${file}.${process.pid}.tmp`;
  let greeted: (() => void) | undefined;
  const pieces = createPieces(clock, (message) => {
    const [, kind, report] = /^(agent|state) (.*)$/s.exec(message) ?? [];
    if (message === HELLO) greeted?.();
    else if (report !== undefined) guarded(() => take(kind as "agent" | "state", report));
  });
  let reader: Socket | undefined;
  try {
    removeDrafts(file);
    await runProgram(["mkfifo", "-m", "600", draft], { PATH: env["PATH"] }, READY_MS);
    // For writing too: a pipe that has no writer for a moment would be at its end.
    const pipe = openSync(draft, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    reader = readerOf(pipe).on("data", (chunk: Buffer) => pieces.put(chunk));
    // By big numbers, for the reason that core's `openPipe` gives.
    const { ino } = fstatSync(pipe, { bigint: true });
    await within(READY_MS, (resolve) => {
      greeted = resolve;
      writePipe(pipe, HELLO);
    });
    renameSync(draft, file);
    return () => {
      pieces.clear();
      // Another server may have taken the port, and the file, since.
      if (lstatSync(file, { throwIfNoEntry: false, bigint: true })?.ino === ino) removeIfPossible(file);
      reader?.destroy();
    };
  } catch {
    reader?.destroy();
    removeIfPossible(draft);
    return () => {};
  }
}

/** Has a report taken as if it had been posted. Whoever can write into the pipe can read the token. */
export function pipedTo(app: (head: Head) => Reply, host: string, token: string): PipeParts["take"] {
  const rawHeaders = ["Host", host];
  const headers = { host, "content-type": "application/json", [TOKEN_HEADER.toLowerCase()]: token };
  return (kind, report) => {
    const reply = app({ method: "POST", target: `/api/${kind}`, headers, rawHeaders, onClose: () => {} });
    // A refusal has nobody to go to.
    if ("onBody" in reply) void reply.onBody(report);
  };
}

function readerOf(pipe: number): Socket {
  try {
    return new Socket({ fd: pipe, readable: true, writable: false }).on("error", () => {});
  } catch (error) {
    closeSync(pipe);
    throw error;
  }
}

function within(timeoutMs: number, begin: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(reject, timeoutMs, new Error("nothing came out of the pipe"));
    begin(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function guarded(fn: () => void): void {
  try {
    fn();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : new Error(String(error)));
  }
}
