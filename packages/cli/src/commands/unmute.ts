import { createClient } from "../client.ts";
import { type Command, command } from "../command.ts";
import { EXIT } from "../errors.ts";
import { print } from "../io.ts";
import { findSession } from "../notify/find-session.ts";

export const unmute: Command = command({
  operands: "[session]",
  maxOperands: 1,
  args: {},
  notes: ["Without a session every mute ends."],
  async run(args, io) {
    const client = createClient(io.env);
    const word = args._[0];
    const found = word === undefined ? undefined : findSession(word, (await client.sessions()).sessions);
    await client.mute(found && { source: found.source, session: found.session }, { off: true });
    print(io, `${found ? found.label : "everything"} is told again.`);
    return EXIT.ok;
  },
});
