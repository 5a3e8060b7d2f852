/** The only file that ends the process. */
import { processIo } from "./io.ts";
import { run } from "./run.ts";

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // The reader has gone (`moth ps | head`, a closed terminal): nothing is left to say, and nobody to say it to.
    if (error.code === "EPIPE" || error.code === "EIO") process.exit(0);
    throw error;
  });
}

process.exitCode = await run(process.argv.slice(2), processIo());
