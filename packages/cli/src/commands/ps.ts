import { createClient } from "../client.ts";
import { type Command, command } from "../command.ts";
import { EXIT, Failure } from "../errors.ts";
import { shortName } from "../harness-names.ts";
import { columnsOf, print, printJson, styleOf } from "../io.ts";
import { renderRoster } from "../ps/roster.ts";
import { watchRoster } from "../ps/watch.ts";

export const ps: Command = command({
  args: {
    watch: { type: "boolean", alias: "w", description: "keep it on the screen, up to date; q or ctrl-c ends" },
    json: { type: "boolean", description: "print the sessions as a JSON array" },
  },
  async run(args, io) {
    const client = createClient(io.env);
    if (args.watch) {
      if (args.json) throw new Failure("USAGE", "--watch is for a screen, --json is for a program", "Use one of them");
      if (!io.stdout.isTTY) throw new Failure("USAGE", "--watch needs a terminal", "Use moth ps, or moth ps --json");
      return watchRoster(client, io);
    }
    const { sessions } = await client.sessions();
    if (args.json) printJson(io, sessions);
    else print(io, ...renderRoster(sessions, { now: io.now(), columns: columnsOf(io), style: styleOf(io), short: shortName }));
    return EXIT.ok;
  },
});
