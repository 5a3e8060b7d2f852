import { createOutbox } from "@moth-companion/core/outbox";
import type { LogAnswer } from "@moth-companion/core/protocol";
import type { Fault } from "../fault.ts";
import { pause } from "@moth-companion/core/pause";
import { createMachine, end, type Machine, until } from "../moth.ts";

const ADAPTERS = 4;

export const restarts: Fault = {
  name: "moth started anew under adapters",
  async run(trial) {
    const machine = await createMachine(trial);
    const times = trial.short ? 5 : 100;
    let running = await machine.up();
    const over = new AbortController();
    let sent = 0;
    const adapter = async (session: string): Promise<void> => {
      const outbox = createOutbox({ env: machine.env });
      for (let turn = 0; !over.signal.aborted; turn++) {
        const about = { source: "chaos", session, label: session };
        outbox.state({ ...about, state: "working" });
        outbox.turn({ ...about, text: `${session} ${turn} ends.`, turn: `t${turn}` });
        sent++;
        await pause(20);
      }
      await outbox.flush();
    };
    const adapters = Promise.all(Array.from({ length: ADAPTERS }, (_, index) => adapter(`adapter-${index}`)));
    const seen: string[] = [];
    let fresh = 0;
    for (let time = 0; time < times; time++) {
      const isHeard = async (): Promise<boolean> =>
        new Set((await cards(machine)).map((text) => text.split(" ")[0])).size === ADAPTERS;
      if (await until(isHeard, 15_000)) fresh++;
      seen.push(...(await cards(machine)));
      await end(running, trial.random.oneIn(3) ? "SIGKILL" : "SIGTERM");
      await pause(trial.random.int(0, 200));
      running = await machine.up();
    }
    over.abort();
    await adapters;
    trial.claim("every new moth hears every adapter at once", fresh === times, fresh);
    trial.claim("no turn is heard twice", new Set(seen).size === seen.length, seen.length - new Set(seen).size);
    trial.claim("most turns are heard", seen.length > 0 && seen.length <= sent, `${seen.length} of ${sent}`);
    await end(running);
    return times;
  },
};

async function cards(machine: Machine): Promise<string[]> {
  const answer = await machine.ask("/api/log?since=0");
  const { events } = JSON.parse(answer?.body ?? '{"events":[]}') as LogAnswer;
  return events.flatMap((event) => (event.kind === "card" ? [event.text] : []));
}
