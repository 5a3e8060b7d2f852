import { createClient } from "../client.ts";
import { type Command, command } from "../command.ts";
import { EXIT, Failure } from "../errors.ts";
import { print, printJson, warn } from "../io.ts";
import { findSession } from "../notify/find-session.ts";
import { whereItRuns } from "../where.ts";

export const abort: Command = command({
  operands: "<session>",
  maxOperands: 1,
  args: {
    json: { type: "boolean", description: "print whose turn was ended as JSON" },
  },
  notes: [
    "Ends the turn that runs, as Escape in the session's window does. The session stays.",
    "It works once answers are on: moth config answers on",
  ],
  async run(args, io) {
    const [word] = args._;
    if (word === undefined) throw new Failure("USAGE", "whose turn?", "For example: moth abort my-app");
    const client = createClient(io.env);
    const { source, session, label, pane } = findSession(word, (await client.sessions()).sessions, (line) => warn(io, line));
    await client.order({ source, session, do: "abort", by: "cli" }).catch(whereItRuns(pane));
    if (args.json) printJson(io, { ok: true, source, session, label });
    else print(io, `${label} was told to stop.`);
    return EXIT.ok;
  },
});
