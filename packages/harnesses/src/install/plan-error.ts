/** Why a file cannot be changed as asked. The message is for the person: what, where, what to do next. */
export class PlanError extends Error {
  override readonly name = "PlanError";
  readonly code: PlanErrorCode;
  readonly file: string;
  /** From 1. */
  readonly line: number | undefined;
  /** From 1, in characters. */
  readonly column: number | undefined;

  constructor(code: PlanErrorCode, message: string, where: { file: string; line?: number; column?: number; cause?: unknown }) {
    super(message, { cause: where.cause });
    this.code = code;
    this.file = where.file;
    this.line = where.line;
    this.column = where.column;
  }
}

export type PlanErrorCode =
  /** The file is not what its harness reads: a syntax error, an unknown encoding. */
  | "UNPARSABLE"
  /** It parses, but something stands where moth's hooks belong. */
  | "UNEXPECTED"
  /** The harness has no settings of a project's. */
  | "NO_PROJECT"
  /** It is in a project, by a link that leads out of it. */
  | "LEADS_OUT"
  /** It may not be written or read. */
  | "ACCESS"
  /** It keeps changing, or another `moth hook` does not finish. */
  | "BUSY";
