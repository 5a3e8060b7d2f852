import { type Command, command } from "../command.ts";
import { AGAIN_ARGS, takeUpAgain } from "../start/again.ts";

export const resume: Command = command({
  operands: "<session> [-- arguments]",
  maxOperands: Infinity,
  args: AGAIN_ARGS,
  notes: [
    "Goes on with the session in this terminal, in the folder it was begun in, as the harness's own command does; what follows -- goes",
    "to it. One that still runs in another window is refused. The exit code is the harness's.",
  ],
  run: (args, io) => takeUpAgain("resume", args, io),
});
