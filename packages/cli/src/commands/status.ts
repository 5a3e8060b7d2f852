import type { Session } from "@moth-companion/core/protocol";
import { awayWords } from "../away.ts";
import { busy, createClient, probe, requireAddress } from "../client.ts";
import { type Command, command } from "../command.ts";
import { EXIT, Failure } from "../errors.ts";
import { print, printJson, say } from "../io.ts";
import { countStates } from "../ps/roster.ts";
import { commandName } from "../self.ts";
import { readSettings } from "../settings.ts";
import { statusLine } from "../status-line.ts";
import { otherMoths, tellOthers } from "../up/others.ts";
import { portTaken } from "../up/running.ts";

export const status: Command = command({
  args: {
    json: { type: "boolean", description: "print it as JSON" },
    line: { type: "boolean", description: "one short line for a status bar; empty when all is quiet" },
  },
  async run(args, io) {
    if (args.line && args.json)
      throw new Failure("USAGE", "--line is for a status bar, --json is for a program", "Use one of them");
    if (args.line) return statusLine(io.env);
    const found = await probe(io.env);
    if (found.found === "other") throw portTaken(found, readSettings(io.env));
    if (found.found === "busy") throw busy(found.url);
    const others = await otherMoths(io.env, requireAddress(io.env));
    const elsewhere = others.length > 0 ? { elsewhere: others.map(({ url, record: { pid } }) => ({ url, pid })) } : {};
    if (found.found === "nothing") {
      if (args.json) printJson(io, { running: false, url: found.url, ...elsewhere });
      else say(io, `moth is not running at ${found.url}`, ...tellOthers(others, io.env), "Start it: moth up");
      return EXIT.notRunning;
    }
    const { version, protocol, pid } = found.health;
    const { sessions, away = false } = await createClient(io.env).sessions();
    if (args.json) {
      printJson(io, {
        running: true,
        url: found.url,
        version,
        protocol,
        pid,
        away,
        sessions: stateCounts(sessions),
        ...elsewhere,
      });
      return EXIT.ok;
    }
    print(io, `moth ${version} is running at ${found.url} (process ${pid})`, countStates(sessions));
    if (away) print(io, awayWords(commandName(io.env)));
    say(io, ...tellOthers(others, io.env));
    return EXIT.ok;
  },
});

function stateCounts(sessions: readonly Session[]): Record<Session["state"], number> {
  const counts = { waiting: 0, working: 0, idle: 0, gone: 0 };
  for (const { state } of sessions) counts[state]++;
  return counts;
}
