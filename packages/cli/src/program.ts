/** The only file that ends the process. */
import { writeSync } from "node:fs";
import { describeFailure, EXIT } from "./errors.ts";
import { processIo } from "./io.ts";
import { outputFailure } from "./output-failure.ts";
import { run } from "./run.ts";

/** Runs what the person has typed. */
export async function start(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2), processIo(endWithItsOutput));
}

function endWithItsOutput(stream: NodeJS.WriteStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    const failure = outputFailure(error);
    if (!failure) process.exit(EXIT.ok);
    try {
      writeSync(2, `${describeFailure(failure)}\n`);
    } catch {
      // stderr is no better: the exit code has to say it.
    }
    process.exit(EXIT.failure);
  });
}
