import { type Command, command } from "../command.ts";
import { AGAIN_ARGS, takeUpAgain } from "../start/again.ts";

export const fork: Command = command({
  operands: "<session> [-- arguments]",
  maxOperands: Infinity,
  args: AGAIN_ARGS,
  notes: [
    "Goes on in this terminal with a copy of the session, which has an id of its own; the session stays as it is, and may be open.",
    "What follows -- goes to the harness. The exit code is the harness's.",
  ],
  run: (args, io) => takeUpAgain("fork", args, io),
});
