import { type Command, command } from "../command.ts";
import { Failure } from "../errors.ts";
import { folderOf, harnessToStart, promptArguments, startable, startHere } from "../start/start-here.ts";

export const start: Command = command({
  operands: "<harness> [-- arguments]",
  maxOperands: Infinity,
  args: {
    prompt: {
      type: "string",
      valueHint: "TEXT",
      description: "what it begins with, as it stands; --prompt=TEXT when it begins with a -",
    },
    cwd: { type: "string", valueHint: "DIR", description: "the folder it works in, instead of this one" },
  },
  notes: ["Starts it in this terminal, as its own command does; what follows -- goes to it. Its exit code is moth's."],
  operandChoices: async () => startable().map(({ id }) => id),
  async run(args, io) {
    const [id, ...more] = args._;
    if (id === undefined) {
      const known = startable().map((one) => one.id);
      throw new Failure("USAGE", "start which harness?", `moth starts: ${known.join(", ")}`);
    }
    const harness = harnessToStart(id);
    const cwd = folderOf(args.cwd);
    return startHere(harness, [...more, ...promptArguments(harness, args.prompt)], cwd, io);
  },
});
