import type { Session } from "@moth-companion/core/protocol";
import { WAIT_FOR, type Waited, type WaitFor, waitForState } from "@moth-companion/core/wait";
import { createClient } from "../client.ts";
import { type Command, command } from "../command.ts";
import { parseDuration } from "../duration.ts";
import { Failure } from "../errors.ts";
import { shortName } from "../harness-names.ts";
import { type Io, print, printJson, warn } from "../io.ts";
import { findSession } from "../notify/find-session.ts";
import { waitWords } from "../ps/roster.ts";

/** What a script branches on. So everything that goes wrong, a wrong command line and no moth too, is a 1 here. */
const EXITS: Readonly<Record<Waited["result"], number>> = { matched: 0, "timed-out": 2, gone: 3 };

const waiting: Command = command({
  operands: "<session>",
  maxOperands: 1,
  args: {
    for: { type: "string", valueHint: WAIT_FOR.join("|"), description: "wait for this; unless given, for idle or waiting" },
    timeout: { type: "string", valueHint: "TIME", description: "give up after 90s, 10m, 2h; unless given, never" },
    json: { type: "boolean", description: "print how it ended, and the session, as JSON" },
  },
  notes: [
    "Exit codes: 0 it is so, 2 the time is up, 3 the session is gone (and --for gone was not asked), 1 anything else.",
    "It ends at once when it is so already. A moth that is started anew meanwhile is waited for.",
  ],
  async run(args, io) {
    const [word] = args._;
    if (word === undefined) throw new Failure("USAGE", "wait for whom?", "For example: moth wait my-app --for idle");
    const wanted = wantedOf(args.for);
    const timeoutMs = timeoutOf(args.timeout);
    const found = findSession(word, (await createClient(io.env).sessions()).sessions, (line) => warn(io, line));
    const { result, session } = await waitForState(found, {
      env: io.env,
      for: wanted,
      timeoutMs,
      onHearing: (hears) => warn(io, hears ? "moth is awake again." : "moth is asleep; waiting until it is up again."),
    });
    if (args.json) printJson(io, { result, session });
    else if (result === "timed-out") warn(io, `moth: ${describe(session)} still`);
    else print(io, describe(session));
    return EXITS[result];
  },
});

export const wait: Command = {
  ...waiting,
  async run(rawArgs, io: Io) {
    try {
      return await waiting.run(rawArgs, io);
    } catch (error) {
      throw error instanceof Failure ? new Failure("FAILED", error.message, error.next, error) : error;
    }
  },
};

function wantedOf(word: string | undefined): WaitFor | undefined {
  const wanted = WAIT_FOR.find((one) => one === word);
  if (word === undefined || wanted) return wanted;
  throw new Failure("USAGE", `"${word}" is nothing to wait for`, `Write --for ${WAIT_FOR.join("|")}`);
}

/** Milliseconds. */
function timeoutOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = parseDuration(text);
  if (seconds !== undefined) return seconds * 1000;
  throw new Failure("USAGE", `"${text}" is no time`, "Write it like 90s, 10m or 2h");
}

function describe(session: Session): string {
  const name = `${shortName(session.source)} · ${session.label}`;
  switch (session.state) {
    case "waiting":
      return `${name} waits for ${waitWords(session.wait)}`;
    case "working":
      return `${name} works`;
    default:
      return `${name} is ${session.state}`;
  }
}
