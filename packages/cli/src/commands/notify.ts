import type { NotifyAnswer, Session } from "@moth-companion/core/protocol";
import { type Client, createClient } from "../client.ts";
import { type Command, command } from "../command.ts";
import { EXIT, Failure } from "../errors.ts";
import { type Io, print, printJson, say, warn } from "../io.ts";
import { renderNotify } from "../notify/notify-view.ts";
import { runnable } from "../runnable.ts";
import { commandName } from "../self.ts";
import { formatValue, readSettings } from "../settings.ts";
import { writeSetting } from "../settings-file.ts";
import { suggest } from "../suggest.ts";

const ACTIONS = ["on", "off", "status", "test"] as const;

export const notify: Command = command({
  operands: "on|off|status|test",
  maxOperands: 1,
  args: { json: { type: "boolean", description: "print how it is as JSON" } },
  notes: [
    "It tells of sessions that wait for you, fail, hit a limit, or finish after some work.",
    "How, and when not: moth config (the settings that begin with notify), moth mute.",
  ],
  operandChoices: async () => ACTIONS,
  async run(args, io) {
    const action = args._[0] ?? "status";
    switch (action) {
      case "on":
      case "off":
        writeSetting(io.env, "notify", action === "on");
        return show(io, args.json);
      case "status":
        return show(io, args.json);
      case "test":
        return test(io, args.json);
      default: {
        const near = suggest(action, ACTIONS);
        throw new Failure(
          "USAGE",
          `moth notify does not know "${action}"`,
          near ? `Did you mean ${near}?` : `It knows: ${ACTIONS.join(", ")}`,
        );
      }
    }
  },
});

async function show(io: Io, asJson: boolean | undefined): Promise<number> {
  const settings = readSettings(io.env);
  const setting = settings.all.find(({ key }) => key === "notify");
  const running = await ask(createClient(io.env), io);
  if (asJson) {
    const on = settings.values.notify;
    printJson(
      io,
      running ? { running: true, ...running.answer, on } : { running: false, on, by: [], problems: [], silent: false, muted: [] },
    );
    return EXIT.ok;
  }
  if (setting?.from === "env")
    warn(io, `moth: ${setting.where} is ${formatValue(setting.value)}, and beats what moth notify writes.`);
  const view = { now: io.now(), sessions: running?.sessions ?? [], self: commandName(io.env) };
  print(io, ...renderNotify(settings, running?.answer, view));
  return EXIT.ok;
}

function typable(answer: NotifyAnswer, io: Io): NotifyAnswer {
  return { ...answer, problems: answer.problems.map((problem) => runnable(problem, commandName(io.env))) };
}

/** undefined: no moth runs. */
async function ask(client: Client, io: Io): Promise<{ answer: NotifyAnswer; sessions: Session[] } | undefined> {
  try {
    return { answer: typable(await client.notify(), io), sessions: (await client.sessions()).sessions };
  } catch (error) {
    if (error instanceof Failure && error.code === "NOT_RUNNING") return undefined;
    throw error;
  }
}

async function test(io: Io, asJson: boolean | undefined): Promise<number> {
  const answer = typable(await createClient(io.env).testNotify(), io);
  if (asJson) printJson(io, answer);
  else {
    print(io, answer.by.length > 0 ? `shown by: ${answer.by.join(", ")}` : "nothing showed it");
    if (answer.by.includes("terminal")) say(io, "The terminal shows it where moth tail runs.");
    if (!answer.on) say(io, "It is off, so nothing else will come. Turn it on: moth notify on");
  }
  if (answer.problems.length === 0 && answer.by.length > 0) return EXIT.ok;
  const [problem = "no back-end is in use", ...more] = answer.problems;
  throw new Failure("FAILED", [problem, ...more].join("; "), "Choose how: moth config notify.by");
}
