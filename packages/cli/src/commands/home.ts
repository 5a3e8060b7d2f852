import { awayWords } from "../away.ts";
import { busy, createClient, probe, requireAddress } from "../client.ts";
import { type Command, command } from "../command.ts";
import { EXIT } from "../errors.ts";
import { isHooked, reportHooks } from "../hook-report.ts";
import { columnsOf, print, printJson, say, styleOf } from "../io.ts";
import { nextStep } from "../next-step.ts";
import { renderRoster } from "../ps/roster.ts";
import { rosterView } from "../ps/view.ts";
import { commandName } from "../self.ts";
import { readSettings } from "../settings.ts";
import { setUp } from "../setup/setup.ts";
import { otherMoths, tellOthers } from "../up/others.ts";
import { portTaken } from "../up/running.ts";
import { fold } from "../width.ts";

export const home: Command = command({
  args: { json: { type: "boolean", description: "print it as JSON" } },
  async run(args, io) {
    const self = commandName(io.env);
    const style = styleOf(io);
    // Not beside the look at the harnesses: see `setUp`.
    const found = await probe(io.env);
    if (found.found === "other") throw portTaken(found, readSettings(io.env));
    if (found.found === "busy") throw busy(found.url);
    const reports = await reportHooks(io.env);
    const roster = found.found === "moth" ? await createClient(io.env).sessions() : undefined;
    const sessions = roster?.sessions ?? [];
    if (args.json) {
      printJson(io, {
        running: found.found === "moth",
        url: found.url,
        hooked: reports.filter(isHooked).map(({ id }) => id),
        sessions,
      });
      return EXIT.ok;
    }
    const fresh = !reports.some(isHooked) && sessions.length === 0;
    if (fresh && reports.some((report) => report.found)) {
      if (io.stdin.isTTY && io.stdout.isTTY) {
        // Saying no is an answer here, and no failure.
        await setUp({ yes: false }, io);
        return EXIT.ok;
      }
      if (found.found === "nothing") {
        print(
          io,
          `${style.lamp("moth")} is asleep, and hooked into nothing yet.`,
          "",
          `Next: ${self} setup    ${style.dim("(hooks it in and starts it; asks before)")}`,
        );
        return EXIT.ok;
      }
    }
    if (found.found === "nothing") {
      say(
        io,
        `${style.lamp("moth")} is asleep.`,
        ...tellOthers(await otherMoths(io.env, requireAddress(io.env)), io.env),
        "",
        `Next: ${self} up    ${style.dim(`(or in the background: ${self} up -d)`)}`,
      );
      return EXIT.ok;
    }
    const listening = `${style.lamp("moth")} ${found.health.version} listens at ${found.url}`;
    if (fresh) {
      print(io, listening, "It is hooked into nothing yet.", "", ...fold(nextStep(reports, self), columnsOf(io)));
      return EXIT.ok;
    }
    const rows = renderRoster(sessions, rosterView(io));
    const away = roster?.away ? [awayWords(self)] : [];
    print(
      io,
      listening,
      ...away,
      "",
      ...rows,
      "",
      ...fold(nextStep(reports, self), columnsOf(io)),
      style.dim(`All commands: ${self} --help`),
    );
    return EXIT.ok;
  },
});
