/** The only file that ends the process. */
import { writeSync } from "node:fs";
import { describeFailure, EXIT } from "./errors.ts";
import { processIo } from "./io.ts";
import { outputFailure } from "./output-failure.ts";
import { run } from "./run.ts";

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    const failure = outputFailure(error);
    if (!failure) process.exit(EXIT.ok);
    try {
      writeSync(process.stderr.fd, `${describeFailure(failure)}\n`);
    } catch {
      // stderr is no better: the exit code has to say it.
    }
    process.exit(EXIT.failure);
  });
}

process.exitCode = await run(process.argv.slice(2), processIo());
