import type { LogAnswer, SessionsAnswer } from "@moth-companion/core/protocol";
import { ownMegabytes } from "../../../bench/src/usage.ts";
import type { Fault } from "../fault.ts";
import { createMachine, end } from "../moth.ts";

const SESSIONS = 500;
const CLIENTS = 16;
const MOST_MB = 150;

export const sessions: Fault = {
  name: "500 sessions",
  async run(trial) {
    const machine = await createMachine(trial);
    const running = await machine.up();
    const names = Array.from({ length: SESSIONS }, (_, index) => `session-${index}`);
    const queue = [...names];
    let refused = 0;
    const client = async (): Promise<void> => {
      for (let session = queue.shift(); session !== undefined; session = queue.shift()) {
        const about = { source: "chaos", session, label: trial.random.pick(["app", "web", session]) };
        const wait = { id: "w", kind: "permission", tool: "Bash", answerable: false };
        const reports: [string, object][] = [
          ["/api/state", { ...about, state: "working" }],
          ["/api/state", { ...about, state: "waiting", wait }],
          ["/api/state", { ...about, state: "working", ended: "w" }],
          ["/api/agent", { ...about, text: `Done: ${session}.` }],
        ];
        for (const [path, report] of reports) if ((await machine.ask(path, report))?.status !== 200) refused++;
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    trial.claim("every report is taken", refused === 0, refused);
    const roster = JSON.parse((await machine.ask("/api/sessions"))?.body ?? "{}") as SessionsAnswer;
    trial.claim("the roster has them all", new Set(roster.sessions.map(({ session }) => session)).size === SESSIONS);
    trial.claim(
      "and all are idle",
      roster.sessions.every(({ state }) => state === "idle"),
    );
    const labels = new Set(roster.sessions.map(({ label }) => label));
    trial.claim("no two go by one name", labels.size === SESSIONS, SESSIONS - labels.size);
    let own = 0;
    for (const session of names) {
      const answer = await machine.ask(`/api/last?source=chaos&session=${session}`);
      if (answer?.body.includes(`"Done: ${session}."`)) own++;
    }
    trial.claim("each has its own last reply", own === SESSIONS, own);
    const ps = await machine.moth("ps", "--json");
    trial.claim(
      "moth ps shows them",
      ps.code === 0 && (JSON.parse(ps.said) as unknown[]).length === SESSIONS,
      ps.said.slice(0, 300),
    );
    const log = JSON.parse((await machine.ask("/api/log?since=0"))?.body ?? "{}") as LogAnswer;
    trial.claim("the log holds its newest 2,000 events", log.events.length === 2000 || log.next < 2000, log.events.length);
    const megabytes = ownMegabytes(running.pid);
    trial.claim(`it takes less than ${MOST_MB} MB`, megabytes < MOST_MB, megabytes);
    await end(running);
    return SESSIONS;
  },
};
