import { createClient } from "../client.ts";
import { type Command, command } from "../command.ts";
import { parseDuration } from "../duration.ts";
import { EXIT, Failure } from "../errors.ts";
import { print } from "../io.ts";
import { findSession } from "../notify/find-session.ts";
import { commandName } from "../self.ts";

export const mute: Command = command({
  operands: "[session]",
  maxOperands: 1,
  args: { for: { type: "string", valueHint: "TIME", description: "how long: 30m, 2h; without it until moth unmute" } },
  notes: ["Without a session everything is muted. When that time is over, a digest tells what you missed."],
  async run(args, io) {
    const seconds = args.for === undefined ? undefined : parseDuration(args.for);
    if (args.for !== undefined && seconds === undefined)
      throw new Failure("USAGE", `--for is "${args.for}", which is no length of time`, "For example: moth mute --for 30m");
    const client = createClient(io.env);
    const word = args._[0];
    const found = word === undefined ? undefined : findSession(word, (await client.sessions()).sessions);
    const whom = found && { source: found.source, session: found.session };
    await client.mute(whom, seconds === undefined ? {} : { seconds });
    const until = args.for === undefined ? `until ${commandName(io.env)} unmute, or until moth stops` : `for ${args.for}`;
    print(io, `${found ? found.label : "everything"} is muted ${until}.`);
    return EXIT.ok;
  },
});
