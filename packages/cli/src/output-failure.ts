import { Failure } from "./errors.ts";

const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: "no space left",
  EDQUOT: "no space left for you, by quota",
  EFBIG: "the file would become too large",
};

/** What to say when stdout or stderr cannot be written to. Undefined: the reader has gone, so there is nobody to say it to. */
export function outputFailure(error: NodeJS.ErrnoException): Failure | undefined {
  // `moth ps | head`; a closed terminal.
  if (error.code === "EPIPE" || error.code === "EIO") return undefined;
  return new Failure("FILE", `cannot write to the output (${WORDS[error.code ?? ""] ?? error.code ?? error.message})`);
}
