import { answersOffBy, offSentence } from "@moth-companion/core/config";
import { type AnswerRequest, CHOICES, type Session, type Wait } from "@moth-companion/core/protocol";
import { createClient } from "../client.ts";
import { type Command, command } from "../command.ts";
import { EXIT, Failure } from "../errors.ts";
import { shortName } from "../harness-names.ts";
import { confirm } from "../installer/confirm.ts";
import { type Io, print, printJson, say, warn } from "../io.ts";
import { findSession } from "../notify/find-session.ts";
import { operandWords, shellWord } from "../shell-word.ts";
import { waitWords } from "../ps/roster.ts";
import { whereItRuns } from "../where.ts";

type Waiting = Session & { state: "waiting" };

export const answer: Command = command({
  operands: "<session> [choice]",
  maxOperands: 2,
  args: {
    text: { type: "string", valueHint: "TEXT", description: "your own words, in place of a choice or with it" },
    wait: { type: "string", valueHint: "ID", description: "answer only this wait: one that has come since is not hit" },
    yes: { type: "boolean", description: "answer whatever it waits for now, without asking you" },
    json: { type: "boolean", description: "print what is asked, or what came of it, as JSON" },
  },
  notes: [
    "Without a choice it shows what the session asks, and what can be said.",
    "A permission takes allow or deny, a plan approve or reject, a question one of its options or your own words.",
    "It works once answers are on: moth config answers on",
  ],
  async run(args, io) {
    const [word, choice] = args._;
    if (word === undefined) throw new Failure("USAGE", "answer whom?", "For example: moth answer my-app allow");
    const client = createClient(io.env);
    const session = findSession(word, (await client.sessions()).sessions, (line) => warn(io, line));
    if (session.state !== "waiting") throw new Failure("FAILED", `${session.label} waits for nothing`, "See who does: moth ps");
    if (choice === undefined && args.text === undefined) {
      if (args.json) printJson(io, session);
      else show(session, io);
      return EXIT.ok;
    }
    const { wait } = session;
    const chosen = choice === undefined ? {} : { choice: spelled(choice, wait) };
    if (args.wait === undefined && !args.yes && !(await isMeant(session, choice ?? args.text ?? "", io))) return EXIT.failure;
    const request: AnswerRequest = {
      source: session.source,
      session: session.session,
      wait: args.wait ?? wait.id,
      by: "cli",
      ...chosen,
      ...(args.text !== undefined && { text: args.text }),
    };
    await client.answer(request).catch(whereItRuns(session.pane));
    if (args.json) printJson(io, { ok: true, ...request });
    else print(io, `${session.label} has your answer.`);
    return EXIT.ok;
  },
});

function show({ source, label, wait }: Waiting, io: Io): void {
  print(io, `${shortName(source)} · ${label} asks for ${waitWords(wait)}`);
  if (wait.text) print(io, "", ...wait.text.split("\n").map((line) => `  ${line}`), "");
  if (!wait.answerable) {
    const off = answersOffBy(io.env);
    // An adapter's words stand as they are.
    if (wait.why !== undefined) print(io, `It cannot be answered through moth. ${wait.why} Answer it in its own window.`);
    else if (off === undefined) print(io, "It cannot be answered through moth. Answer it in its own window.");
    else say(io, offSentence("Answering through moth", off));
    return;
  }
  const choices = choicesOf(wait);
  const words = operandWords(label, ...choices.slice(0, 1));
  const flags = `${choices.length > 0 ? "" : "--text '...' "}--wait ${wait.id}`;
  if (choices.length > 0) print(io, `You can say: ${choices.map((choice) => shellWord(choice)).join(", ")}`);
  say(io, `For example: moth answer ${words.includes("-- ") ? `${flags} ${words}` : `${words} ${flags}`}`);
}

/** Whether the person, who may not have seen yet what is asked now, means this. */
async function isMeant(session: Waiting, answer: string, io: Io): Promise<boolean> {
  if (io.stdin.isTTY) show(session, io);
  const about = {
    what: "answers an agent",
    next: `Add --wait ${session.wait.id} to answer just this, or --yes for whatever it asks`,
  };
  return await confirm(`Answer "${answer}"?`, about, io);
}

/** A choice in any case is the one that is written so. @throws Failure USAGE when there is none */
function spelled(choice: string, wait: Wait): string {
  const choices = choicesOf(wait);
  const found = choices.find((one) => one.toLowerCase() === choice.toLowerCase());
  if (found !== undefined) return found;
  const next = choices.length > 0 ? `It takes: ${choices.join(", ")}` : "Say it in your own words: --text";
  throw new Failure("USAGE", `"${choice}" is no answer to that`, next);
}

function choicesOf(wait: Wait): readonly string[] {
  return wait.options ?? CHOICES[wait.kind];
}
