import { writeSync } from "node:fs";

/** The least that is JSON. On POSIX the launcher has said it already, and nobody reads this. */
export function answerNothing(): void {
  try {
    writeSync(1, "{}\n");
  } catch {
    // There is no stdout: nobody wants it.
  }
}
