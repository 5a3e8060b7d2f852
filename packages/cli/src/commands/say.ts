import { text as readAll } from "node:stream/consumers";
import { createClient } from "../client.ts";
import { type Command, command } from "../command.ts";
import { EXIT, Failure } from "../errors.ts";
import { type Io, print, printJson, warn } from "../io.ts";
import { findSession } from "../notify/find-session.ts";
import { operandWords } from "../shell-word.ts";
import { whereItRuns } from "../where.ts";

export const say: Command = command({
  operands: "<session> [text]",
  maxOperands: 2,
  endsInWords: true,
  args: {
    json: { type: "boolean", description: "print what was sent as JSON" },
  },
  notes: [
    "The text is the session's next prompt: at once when it is idle, after the turn that runs when it is not.",
    "Without it, or with - in its place, what comes on stdin is sent. A text that begins with a - stands behind --.",
    "It works once answers are on: moth config answers on",
  ],
  async run(args, io) {
    const [word, given] = args._;
    if (word === undefined) throw new Failure("USAGE", "say it to whom?", 'For example: moth say my-app "and now the docs"');
    const text = given === undefined || given === "-" ? await piped(word, io) : given;
    if (text.trim() === "")
      throw new Failure("USAGE", "there is nothing to say", `For example: moth say ${operandWords(word)} "go on"`);
    const client = createClient(io.env);
    const { source, session, label, pane } = findSession(word, (await client.sessions()).sessions, (line) => warn(io, line));
    await client.order({ source, session, do: "prompt", text, by: "cli" }).catch(whereItRuns(pane));
    if (args.json) printJson(io, { ok: true, source, session, label, text });
    else print(io, `${label} has your message.`);
    return EXIT.ok;
  },
});

/** @throws Failure USAGE when nothing is piped in */
async function piped(word: string, io: Io): Promise<string> {
  if (io.stdin.isTTY) throw new Failure("USAGE", "say what?", `For example: moth say ${operandWords(word)} "and now the docs"`);
  return (await readAll(io.stdin)).trim();
}
