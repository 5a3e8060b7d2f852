import { harnessIds } from "../harness-names.ts";
import { type Command, command } from "../command.ts";
import { install } from "../installer/install.ts";

export const unhook: Command = command({
  operands: "<harness>...",
  maxOperands: 100,
  args: {
    all: { type: "boolean", description: "every harness moth is hooked into" },
    project: { type: "string", valueHint: "DIR", description: "out of this project's settings" },
    profile: { type: "string", valueHint: "NAME", description: "out of this profile's settings" },
    yes: { type: "boolean", alias: "y", description: "do not ask" },
    "dry-run": { type: "boolean", alias: "n", description: "only show what would change" },
    json: { type: "boolean", description: "print what was done as a JSON array; needs --yes or --dry-run" },
  },
  notes: ["Only what moth put there goes; everything else in the file stays."],
  operandChoices: harnessIds,
  async run(args, io) {
    return install(
      {
        action: "unhook",
        ids: args._,
        all: args.all ?? false,
        project: args.project,
        profile: args.profile,
        yes: args.yes ?? false,
        dryRun: args["dry-run"] ?? false,
        json: args.json ?? false,
      },
      io,
    );
  },
});
