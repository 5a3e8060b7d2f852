import { newestGone, sessionsMeant } from "@moth-companion/core/find-session";
import type { Session } from "@moth-companion/core/protocol";
import { createClient } from "../client.ts";
import { type Command, command } from "../command.ts";
import { EXIT, Failure } from "../errors.ts";
import { print, printJson } from "../io.ts";
import { renderRoster, sortSessions } from "../ps/roster.ts";
import { rosterView } from "../ps/view.ts";
import { watchRoster } from "../ps/watch.ts";

export const ps: Command = command({
  args: {
    watch: { type: "boolean", alias: "w", description: "keep it on the screen, up to date; q or ctrl-c ends" },
    all: { type: "boolean", alias: "a", description: "those too that have been gone for long, or are many" },
    names: { type: "boolean", description: "only what they are called, one a line; for scripts and the shell's completion" },
    json: { type: "boolean", description: "print the sessions as a JSON array" },
  },
  notes: [
    "Of sessions that are gone it shows the five newest of the last half hour, and how many there are beside. --json has all.",
  ],
  async run(args, io) {
    if ([args.watch, args.names, args.json].filter(Boolean).length > 1)
      throw new Failure("USAGE", "--watch is for a screen, --json and --names are for a program", "Use one of them");
    const client = createClient(io.env);
    if (args.watch) {
      if (!io.stdout.isTTY) throw new Failure("USAGE", "--watch needs a terminal", "Use moth ps, or moth ps --json");
      return watchRoster(client, io, args.all ?? false);
    }
    const { sessions } = await client.sessions();
    if (args.names) print(io, ...namesThatDo(sessions));
    else if (args.json) printJson(io, sessions);
    else print(io, ...renderRoster(sessions, rosterView(io, args.all)));
    return EXIT.ok;
  },
});

/** Each once, and none that means more than one session, as a bare name does once others beside it have been told apart. */
function namesThatDo(sessions: readonly Session[]): Set<string> {
  const labels = new Set(sortSessions(sessions).map(({ label }) => label));
  return new Set([...labels].filter((label) => isClear(sessionsMeant(label, sessions))));
}

/** Of several that are gone and called alike the newest is taken. */
function isClear(meant: readonly Session[]): boolean {
  return meant.length === 1 || newestGone(meant) !== undefined;
}
