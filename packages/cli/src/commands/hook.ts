import { harnessIds } from "../harness-names.ts";
import { type Command, command } from "../command.ts";
import { install } from "../installer/install.ts";

export const hook: Command = command({
  operands: "<harness>...",
  maxOperands: 100,
  args: {
    all: { type: "boolean", description: "every harness found here" },
    project: { type: "string", valueHint: "DIR", description: "into this project's settings instead of yours" },
    profile: { type: "string", valueHint: "NAME", description: "into this profile's settings, in harnesses that have profiles" },
    trust: { type: "boolean", description: "have the harness trust the hooks, where it would ask you" },
    "legacy-notify": { type: "boolean", description: "by the older way of a harness that has two" },
    answers: { type: "boolean", description: "with what answering through moth needs beside the hooks, where it needs more" },
    yes: { type: "boolean", alias: "y", description: "do not ask" },
    "dry-run": { type: "boolean", alias: "n", description: "only show what would change" },
    json: { type: "boolean", description: "print what was done as a JSON array; needs --yes or --dry-run" },
  },
  notes: ["A copy of each file of yours is put beside it before it is changed. moth unhook gives every byte back."],
  operandChoices: harnessIds,
  async run(args, io) {
    return install(
      {
        action: "hook",
        ids: args._,
        all: args.all ?? false,
        project: args.project,
        profile: args.profile,
        trust: args.trust ?? false,
        legacy: args["legacy-notify"] ?? false,
        answers: args.answers ?? false,
        yes: args.yes ?? false,
        dryRun: args["dry-run"] ?? false,
        json: args.json ?? false,
      },
      io,
    );
  },
});
