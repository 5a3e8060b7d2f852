import { type Command, command } from "../command.ts";
import { setUp } from "../setup/setup.ts";

export const setup: Command = command({
  args: { yes: { type: "boolean", alias: "y", description: "do not ask" } },
  notes: [
    "Finds the harnesses here, shows what it will do, asks once, hooks moth in and starts it in the background.",
    "moth unhook --all and moth stop undo all of it.",
  ],
  async run(args, io) {
    return setUp({ yes: args.yes ?? false }, io);
  },
});
