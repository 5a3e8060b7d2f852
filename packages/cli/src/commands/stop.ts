import { isPort } from "@moth-companion/core/config";
import type { Address, Env } from "@moth-companion/core/paths";
import { readRunRecords, type RunRecord } from "@moth-companion/core/run-records";
import { busy, probe, requireAddress } from "../client.ts";
import { type Command, command } from "../command.ts";
import { EXIT, Failure } from "../errors.ts";
import { type Io, print, say } from "../io.ts";
import { pause } from "@moth-companion/core/pause";
import { addressOf, isLookedFor, isOf, type KnownMoth, otherMoths } from "../up/others.ts";

const STOP_TIMEOUT_MS = 10_000;
/** A process that nobody reaps, as in some containers, counts as alive for ever: it is over when it has been silent this long. */
const UNREAPED_MS = 3000;

export const stop: Command = command({
  args: { port: { type: "string", valueHint: "N", description: "the one at this port, where several run" } },
  notes: [
    "Ends the moth that answers at moth's address, and only when moth's own records name it. Exit code 0 also when none runs.",
    "Where none answers there and one of yours runs at another port, as after moth config port, that one is ended.",
  ],
  async run(args, io) {
    const asked = typeof args.port === "string" ? args.port : undefined;
    const address = asked === undefined ? requireAddress(io.env) : addressAt(asked, io);
    const found = await probe(io.env, address);
    if (found.found === "nothing") {
      // One that was named is meant, and no other.
      const isMeant = asked !== undefined || Boolean(io.env["MOTH_URL"]?.trim());
      return stopElsewhere(await otherMoths(io.env, address), { url: found.url, isMeant }, io);
    }
    if (found.found === "other") {
      throw new Failure("NOT_MOTH", `what holds ${found.url} is no moth: ${found.what}`, "moth leaves it alone");
    }
    const record = readRunRecords(io.env).find((one) => one.port === address.port && isOf(one, found, io.env));
    if (!record) {
      if (found.found === "busy") throw busy(found.url);
      throw new Failure(
        "FAILED",
        `the moth at ${found.url} (process ${found.health.pid}) was not started from this moth folder, so it was left alone`,
        "Stop it where it was started: ctrl-c there, or moth stop with the same MOTH_HOME",
      );
    }
    await end(record, io);
    say(io, `moth (process ${record.pid}) is asleep.`, ...stillThere(await otherMoths(io.env, address), io.env));
    return EXIT.ok;
  },
});

function addressAt(given: string, { env }: Io): Address {
  if (!isPort(given)) throw new Failure("USAGE", `--port is "${given}", which is not a port from 1 to 65535`);
  const port = Number(given);
  const record = readRunRecords(env).find((one) => one.port === port);
  return record ? addressOf(record) : { ...requireAddress(env), port };
}

async function stopElsewhere(
  others: readonly KnownMoth[],
  { url, isMeant }: { url: string; isMeant: boolean },
  io: Io,
): Promise<number> {
  const [other, ...more] = others;
  if (!other || isMeant) {
    say(io, `moth was not running at ${url}.`, ...stillThere(others, io.env));
    return EXIT.ok;
  }
  if (more.length > 0) {
    const ways = others.map(({ record }) => `moth stop --port ${record.port}`).join(", or ");
    throw new Failure("FAILED", `moth was not running at ${url}, and several of yours run elsewhere`, `Say which: ${ways}`);
  }
  await end(other.record, io);
  print(io, `moth (process ${other.record.pid}) is asleep. It ran at ${other.url}; moth is looked for at ${url}.`);
  return EXIT.ok;
}

function stillThere(others: readonly KnownMoth[], env: Env): string[] {
  return others.map((other) =>
    isLookedFor(other, env)
      ? `Your moth runs on at ${other.url}, where agents report.`
      : `Another of yours still runs at ${other.url}. To stop it: moth stop --port ${other.record.port}`,
  );
}

async function end(record: RunRecord, { env }: Io): Promise<void> {
  const { pid, port } = record;
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
      (await probe(env, addressOf(record))).found === "nothing" && !readRunRecords(env).some((other) => other.port === port);
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
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
