import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "../fault.ts";
import { pause } from "@moth-companion/core/pause";
import { createMachine, end, isForPerson, type Running, until } from "../moth.ts";

const isOver = ({ child }: Running): boolean => child.exitCode !== null || child.signalCode !== null;

export const race: Fault = {
  name: "servers that race for the port and the record",
  async run(trial) {
    const rounds = trial.short ? 3 : 25;
    let started = 0;
    const machine = await createMachine(trial);
    for (let round = 0; round < rounds; round++) {
      const racers: Running[] = [];
      for (let more = trial.random.int(2, 4); more > 0; more--) {
        racers.push(machine.start());
        if (trial.random.oneIn(3)) await pause(trial.random.int(0, 300));
      }
      started += racers.length;
      const left = (): Running[] => racers.filter((one) => !isOver(one));
      await until(async () => left().length <= 1 && (await machine.health()) === left()[0]?.pid, 30_000);
      const [winner] = left();
      trial.claim(
        "one of them runs, and answers",
        left().length === 1 && (await machine.health()) === winner?.pid,
        left().length,
      );
      for (const loser of racers.filter(isOver)) {
        const { code, said } = await loser.ended;
        trial.claim("the others end, and say why", (code === 0 || code === 1) && isForPerson(said), `${code}: ${said}`);
      }
      const record = JSON.parse(readFileSync(join(machine.folder, "run", `${machine.port}.json`), "utf8")) as { pid: number };
      trial.claim("the record names it", record.pid === winner?.pid, record);
      trial.claim("its token is the one in the file", (await machine.ask("/api/sessions"))?.status === 200);
      if (!winner) continue;
      const { code } = trial.random.oneIn(3) ? await end(winner, "SIGKILL") : await end(winner);
      trial.claim("it ends in good order", code === 0 || code === null, code);
    }
    const other = await createMachine(trial);
    const running = await machine.up();
    const { code, said } = await end2(other, machine.port);
    trial.claim(
      "another person's moth is named, and left alone",
      code !== 0 && said.includes("another") && isForPerson(said),
      said,
    );
    trial.claim("which goes on", (await machine.health()) === running.pid);
    return `${started} in ${rounds} rounds`;
  },
};

/** A moth of another home at a port that is taken. */
async function end2(
  machine: Awaited<ReturnType<typeof createMachine>>,
  port: number,
): Promise<{ code: number | null; said: string }> {
  machine.env["MOTH_URL"] = `http://127.0.0.1:${port}`;
  return await machine.moth("up");
}
