/** Why a server could not start. The message is for the person: what, where, what to do next. */
export type ServerErrorCode = "PORT_TAKEN" | "PORT_INVALID" | "PORT_DENIED" | "HOST_INVALID" | "LISTEN" | "TOKEN" | "HOME";

export class ServerError extends Error {
  readonly code: ServerErrorCode;

  constructor(code: ServerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ServerError";
    this.code = code;
  }
}

/** The system's word for what went wrong: `EACCES`, `ENOSPC`. */
export function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown error";
}
