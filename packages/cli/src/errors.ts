/** What the shell gets back. Kept for good: scripts rely on it. */
export const EXIT = { ok: 0, failure: 1, usage: 2, notRunning: 3, newer: 10 } as const;

export type FailureCode =
  /** The command line is wrong. */
  | "USAGE"
  /** Nothing answers at moth's address. */
  | "NOT_RUNNING"
  /** A moth runs there and has no connection left to answer by. */
  | "BUSY"
  /** Something answers there, but it is no moth. */
  | "NOT_MOTH"
  /** The running moth does not take this token, or there is none to give. */
  | "TOKEN"
  /** `MOTH_URL` is no address. */
  | "ADDRESS"
  /** moth answered with a refusal. */
  | "REFUSED"
  /** A file cannot be read, written or understood. */
  | "FILE"
  /** What was asked for did not come to be. */
  | "FAILED";

/** A mistake or mishap the person can do something about: shown without a stack, always with the next step. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: FailureCode;
  /** What to do now. */
  readonly next: string | undefined;

  constructor(code: FailureCode, message: string, next?: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.next = next;
  }

  get exitCode(): number {
    if (this.code === "USAGE") return EXIT.usage;
    return this.code === "NOT_RUNNING" ? EXIT.notRunning : EXIT.failure;
  }
}

/** As the person reads it: what happened, and below it what to do. */
export function describeFailure(failure: Failure): string {
  const lines = [failure.message, ...(failure.next ? [failure.next] : [])].join("\n").split("\n");
  return lines.map((line, index) => (index === 0 ? `moth: ${line}` : `      ${line}`)).join("\n");
}

/** A bug's report: the stack, and what is needed to reproduce it. */
export function describeBug(error: unknown, version: string): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const versions = `moth ${version}, Node ${process.version}, ${process.platform} ${process.arch}`;
  return `moth: a bug in moth itself. Please report it with these lines.\n${stack}\n${versions}`;
}
