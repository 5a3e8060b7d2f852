/** What the tests of the roster that outlives a moth share. */
import type { MothEvent, Session, StateReport, TurnReport } from "@moth-companion/core/protocol";
import { DEFAULT_BATCH } from "../src/batch.ts";
import { createLog } from "../src/log.ts";
import type { Boot, Machine } from "../src/machine.ts";
import { createMoth, type Moth } from "../src/moth.ts";
import { notedWaits } from "../src/noted-waits.ts";
import { rosterFile } from "../src/roster-file.ts";
import { createRosterKeeper, type RosterKeeper } from "../src/roster-keeper.ts";
import { echoVoice, type HandClock, handClock, tempHome } from "./support.ts";

/** A machine on which one moth runs after the other. */
export interface Place {
  file: string;
  clock: HandClock;
  boot: Boot;
  /** When each process began; one that is not here has ended. */
  processes: Map<number, string | undefined>;
  env: { MOTH_HOME: string };
  pass(ms: number): void;
  begin(): { moth: Moth; keeper: RosterKeeper };
}

export function place(): Place {
  const clock = handClock(1_700_000_000_000);
  const boot: Boot = { id: "boot-1", uptime: 5_000_000 };
  const processes = new Map<number, string | undefined>();
  const env = { MOTH_HOME: tempHome() };
  const file = rosterFile(4747, env);
  const machine: Machine = { boot: () => ({ ...boot }), startOf: (pid) => processes.get(pid) };
  const isAlive = (pid: number): boolean => processes.has(pid);
  let epochs = 0;
  return {
    file,
    clock,
    boot,
    processes,
    env,
    pass(ms) {
      for (let left = ms; left > 0; left -= 1000) {
        boot.uptime += Math.min(left, 1000);
        clock.advance(Math.min(left, 1000));
      }
    },
    begin() {
      const log = createLog(() => `e${++epochs}`);
      const batch = { ...DEFAULT_BATCH, reactEvery: 0, quietAfter: 0 };
      const moth = createMoth({ clock, batch, voice: echoVoice, log, isAlive, changed: (when) => keeper.changed(when) });
      const keeper = createRosterKeeper({ file, clock, machine, isAlive, legacy: () => moth, notedWaits: () => notedWaits(env) });
      keeper.restore();
      return { moth, keeper };
    },
  };
}

/** What stops in good order. */
export function end({ moth, keeper }: { moth: Moth; keeper: RosterKeeper }): void {
  keeper.close();
  moth.stop();
}

export function hear(moth: Moth, ...reports: (StateReport | TurnReport)[]): void {
  for (const report of reports)
    if ("text" in report) moth.turn(report);
    else moth.state(report);
}

export const events = (moth: Moth): MothEvent[] => moth.log.read({ since: 0, epoch: undefined }).events;
export const rows = (moth: Moth): string[] =>
  moth.roster().sessions.map((row) => [row.session, row.label, row.state, waitOf(row), row.unread].filter(Boolean).join(" "));
const waitOf = (row: Session): string | undefined => (row.state === "waiting" ? row.wait.id : undefined);
