import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createOutbox } from "@moth-companion/core/outbox";
import type { LogAnswer, Session, SessionsAnswer } from "@moth-companion/core/protocol";
import type { Fault } from "../fault.ts";
import { pause } from "@moth-companion/core/pause";
import { createMachine, end, type Machine, until } from "../moth.ts";

const ADAPTERS = 4;
const WAITS = { source: "chaos", session: "waits", label: "waits", pid: process.pid };

export const restarts: Fault = {
  name: "moth started anew under adapters",
  async run(trial) {
    const machine = await createMachine(trial);
    const times = trial.short ? 5 : 100;
    let running = await machine.up();
    await beginToWait(machine);
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
      const quiet = (await sessions(machine)).find(({ session }) => session === WAITS.session);
      trial.claim("a session that waits waits after each", quiet?.state === "waiting" && quiet.unread === "waits", quiet);
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

/** One that says nothing more, of a process that runs on. */
async function beginToWait(machine: Machine): Promise<void> {
  await machine.ask("/api/state", { ...WAITS, state: "waiting", wait: { id: "w", kind: "permission" } });
  const file = join(machine.folder, "run", `${machine.port}.roster.json`);
  // What was heard in its last second a moth that is killed takes with it.
  await until(() => existsSync(file) && readFileSync(file, "utf8").includes('"unread":"waits"'), 15_000);
}

async function sessions(machine: Machine): Promise<Session[]> {
  const answer = await machine.ask("/api/sessions");
  return (JSON.parse(answer?.body ?? '{"sessions":[]}') as SessionsAnswer).sessions;
}

async function cards(machine: Machine): Promise<string[]> {
  const answer = await machine.ask("/api/log?since=0");
  const { events } = JSON.parse(answer?.body ?? '{"events":[]}') as LogAnswer;
  return events.flatMap((event) => (event.kind === "card" ? [event.text] : []));
}
