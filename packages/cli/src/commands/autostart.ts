import { type Autostart, lookAtAutostart, turnOff, turnOn } from "../autostart/autostart.ts";
import { thisMoth } from "../autostart/this-moth.ts";
import { hasUserManager, reloadUserManager } from "../autostart/user-manager.ts";
import { type Command, command } from "../command.ts";
import { EXIT, Failure } from "../errors.ts";
import { closeOwnFolder } from "../installer/own-folder.ts";
import { type Io, print, printJson, say, warn } from "../io.ts";
import { suggest } from "../suggest.ts";
import { installedBy } from "../update/installed-by.ts";

const ACTIONS = ["on", "off", "status"] as const;

export const autostart: Command = command({
  operands: "on|off|status",
  maxOperands: 1,
  args: { json: { type: "boolean", description: "print how it is as JSON" } },
  notes: [
    "By systemd's user units, launchd, or Windows' Startup folder: one file, which off takes away again.",
    "A moth that runs goes on as it is, either way.",
  ],
  operandChoices: async () => ACTIONS,
  async run(args, io) {
    const action = args._[0] ?? "status";
    const here = thisMoth(io.env);
    switch (action) {
      case "status":
        break;
      case "on": {
        if (installedBy(here.bin).way === "npx")
          throw new Failure(
            "FAILED",
            "this moth lies in npx's cache, which npm may empty",
            "Install it first: npm install -g moth-companion",
          );
        lookAtAutostart(here);
        // Whoever may write there could have moth start something else.
        await closeOwnFolder(io);
        if (turnOn(here)) reloadUserManager(io.env);
        break;
      }
      case "off": {
        const gone = turnOff(here);
        if (gone.length > 0) reloadUserManager(io.env);
        if (!args.json) print(io, ...gone.map((file) => `deleted ${file}`));
        break;
      }
      default: {
        const near = suggest(action, ACTIONS);
        const next = near ? `Did you mean ${near}?` : `It knows: ${ACTIONS.join(", ")}`;
        throw new Failure("USAGE", `moth autostart does not know "${action}"`, next);
      }
    }
    show(lookAtAutostart(here), io, args.json ?? false);
    return EXIT.ok;
  },
});

function show({ status, way, problem }: Autostart, io: Io, asJson: boolean): void {
  const isAsleep = way.name === "systemd" && !hasUserManager(io.env);
  if (asJson)
    return printJson(io, {
      status,
      by: way.name,
      file: way.file,
      ...(problem && { problem }),
      works: status === "on" && !isAsleep,
    });
  if (status === "off") return say(io, "moth is not started at login. Have it so: moth autostart on");
  if (status === "foreign") return warn(io, `moth: ${problem}, so whether it starts moth is not known.`);
  if (status === "outdated") return say(io, `moth's start at login is outdated: ${problem}. Renew it: moth autostart on`);
  print(io, `moth is started at each login, by ${way.name}: ${way.file}`);
  if (isAsleep)
    say(
      io,
      "systemd does not run for you here (a container, or a login without a session), so nothing starts moth now.",
      "It will from your next login on at which systemd runs; until then: moth up -d",
    );
}
