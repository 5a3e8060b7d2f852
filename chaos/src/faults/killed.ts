import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "../fault.ts";
import { pause } from "@moth-companion/core/pause";
import { createMachine, end, type Machine, until } from "../moth.ts";

const CLIENTS = 6;

export const killed: Fault = {
  name: "kill -9 at any moment, under load",
  async run(trial) {
    const machine = await createMachine(trial);
    const times = trial.short ? 8 : 60;
    const tokens = new Set<string>();
    let taken = 0;
    for (let time = 0; time < times; time++) {
      // Every third dies while it starts.
      if (time % 3 === 2) {
        const starting = machine.start();
        await pause(trial.random.int(0, 250));
        await end(starting, "SIGKILL");
      }
      const running = await machine.up();
      tokens.add(machine.token());
      const load = under(machine);
      const enough = trial.random.int(0, 60);
      await until(() => load.taken() >= enough, 10_000);
      await pause(trial.random.int(0, 20));
      await end(running, "SIGKILL");
      load.stop();
      await load.ended;
      taken += load.taken();
    }
    trial.claim("reports were taken until then", taken > times, taken);
    const last = await machine.up();
    trial.claim("the token stays the same", tokens.size === 1 && tokens.has(machine.token()));
    trial.claim("the record names the one that runs", recordOf(machine).pid === last.pid, recordOf(machine));
    const sent = await machine.ask("/api/agent", { source: "chaos", session: "s", text: "Still here." });
    trial.claim("a new moth takes reports", sent?.status === 200, sent);
    const roster = await machine.moth("ps");
    trial.claim("and shows them", roster.code === 0 && roster.said.includes("chaos"), roster.said);
    const halves = everything(machine.folder).filter((name) => name.includes("tmp"));
    trial.claim("nothing half-written is left", halves.length === 0, halves);
    const { code } = await end(last);
    trial.claim("it ends in good order", code === 0);
    return times + Math.floor(times / 3);
  },
};

function recordOf({ folder, port }: Machine): { pid?: number } {
  return JSON.parse(readFileSync(join(folder, "run", `${port}.json`), "utf8")) as { pid?: number };
}

function everything(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
}

/** Clients that post as fast as they can. */
function under(machine: Machine): { stop(): void; taken(): number; ended: Promise<unknown> } {
  const over = new AbortController();
  let [taken, n] = [0, 0];
  const client = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const session = `s${n++ % 50}`;
      const state = await machine.ask("/api/state", { source: "chaos", session, label: session, state: "working" });
      const turn = await machine.ask("/api/agent", { source: "chaos", session, label: session, text: `Done ${n}.` });
      if (state?.status === 200 && turn?.status === 200) taken++;
      else if (!state) await pause(5);
    }
  };
  return { stop: () => over.abort(), taken: () => taken, ended: Promise.all(Array.from({ length: CLIENTS }, client)) };
}
