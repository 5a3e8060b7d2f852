import { readRunRecords } from "@moth-companion/server";
import { probe, requireAddress } from "../client.ts";
import { type Command, command } from "../command.ts";
import { EXIT, Failure } from "../errors.ts";
import { print } from "../io.ts";
import { pause } from "@moth-companion/core/pause";

const STOP_TIMEOUT_MS = 10_000;
/** A process that nobody reaps, as in some containers, counts as alive for ever: it is over when it has been silent this long. */
const UNREAPED_MS = 3000;

export const stop: Command = command({
  args: {},
  notes: [
    "Ends the moth that answers at moth's address, and only when moth's own records name it. Exit code 0 also when none runs.",
  ],
  async run(_args, io) {
    const address = requireAddress(io.env);
    const found = await probe(io.env, address);
    if (found.found === "nothing") {
      print(io, `moth was not running at ${found.url}.`);
      return EXIT.ok;
    }
    if (found.found === "other") {
      throw new Failure("NOT_MOTH", `what holds ${found.url} is no moth: ${found.what}`, "moth leaves it alone");
    }
    // Two witnesses, what answers and what was written down: a process id alone may be someone else's by now.
    const { pid } = found.health;
    const record = readRunRecords(io.env).find((one) => one.port === address.port && one.pid === pid);
    if (!record) {
      throw new Failure(
        "FAILED",
        `the moth at ${found.url} (process ${pid}) was not started from this moth folder, so it was left alone`,
        "Stop it where it was started: ctrl-c there, or moth stop with the same MOTH_HOME",
      );
    }
    try {
      process.kill(pid, "SIGTERM");
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== "ESRCH")
        throw new Failure("FAILED", `process ${pid} may not be ended from here (${code})`, "Is it another person's?", error);
    }
    let quietSince: number | undefined;
    const isOver = async (): Promise<boolean> => {
      if (!isAlive(pid)) return true;
      const quiet =
        (await probe(io.env, address)).found === "nothing" &&
        !readRunRecords(io.env).some((other) => other.port === address.port);
      quietSince = quiet ? (quietSince ?? Date.now()) : undefined;
      return quietSince !== undefined && Date.now() - quietSince > UNREAPED_MS;
    };
    for (const begun = Date.now(); !(await isOver()); await pause(30)) {
      if (Date.now() - begun > STOP_TIMEOUT_MS) {
        throw new Failure(
          "FAILED",
          `moth (process ${pid}) did not end within ${STOP_TIMEOUT_MS / 1000} seconds`,
          `Force it: kill -9 ${pid}`,
        );
      }
    }
    print(io, `moth (process ${pid}) is asleep.`);
    return EXIT.ok;
  },
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
