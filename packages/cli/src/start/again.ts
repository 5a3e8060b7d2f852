/** What `moth resume` and `moth fork` share: whose session it is, where it ran, and what its harness is started with. */
import { basename } from "node:path";
import { isAlive } from "@moth-companion/core/alive";
import { sessionsMeant } from "@moth-companion/core/find-session";
import { parsePane } from "@moth-companion/core/pane";
import type { Session } from "@moth-companion/core/protocol";
import type { ArgsDef } from "citty";
import { createClient } from "../client.ts";
import { Failure } from "../errors.ts";
import { operandWords } from "../shell-word.ts";
import type { Io } from "../io.ts";
import { findSession } from "../notify/find-session.ts";
import { folderOf, harnessToStart, isFolder, promptArguments, type Startable, startHere } from "./start-here.ts";

export const AGAIN_ARGS = {
  prompt: {
    type: "string",
    valueHint: "TEXT",
    description: "what it goes on with, as it stands; --prompt=TEXT when it begins with a -",
  },
  cwd: { type: "string", valueHint: "DIR", description: "the folder it works in, instead of the one it was begun in" },
  harness: { type: "string", valueHint: "HARNESS", description: "with --id: a session that moth does not know any more" },
  id: { type: "string", valueHint: "ID", description: "the harness's own id of that session" },
} as const satisfies ArgsDef;

interface Asked {
  _: string[];
  prompt?: string | undefined;
  cwd?: string | undefined;
  harness?: string | undefined;
  id?: string | undefined;
}

/** A session that is to be taken up again. */
interface Meant {
  harness: Startable;
  id: string;
  /** As moth calls it, or its id. */
  name: string;
  /** Its row of the roster; missing: moth does not know it. */
  row: Session | undefined;
  /** Words for the harness. */
  more: readonly string[];
}

/** Goes on with a session, or with a copy of it, in this terminal. @returns the harness's exit code */
export async function takeUpAgain(verb: "resume" | "fork", args: Asked, io: Io): Promise<number> {
  const meant = await meantBy(verb, args, io);
  const { harness, id } = meant;
  if (!harness.launch.again.ids.test(id)) {
    throw new Failure("USAGE", `"${id}" is no session id of ${harness.name}`, "Give it as the harness itself names it");
  }
  const prompt = promptArguments(harness, args.prompt);
  const { noPrompt } = harness.launch.again;
  if (prompt.length > 0 && noPrompt !== undefined)
    throw new Failure("USAGE", `${harness.name} cannot be given a prompt with a session: ${noPrompt}`, "Type it in its window");
  const own = verb === "fork" ? forking(meant, io) : resuming(meant);
  return startHere(harness, [...meant.more, ...own, ...prompt], folder(meant, args.cwd), io);
}

async function meantBy(verb: "resume" | "fork", args: Asked, io: Io): Promise<Meant> {
  const { id } = args;
  if (id !== undefined && args.harness !== undefined) {
    const [word] = args._;
    if (word !== undefined && !word.startsWith("-")) throw new Failure("USAGE", `do not know what to do with "${word}"`, ONCE);
    const harness = harnessToStart(args.harness);
    const row = (await roster(io)).find((one) => one.source === harness.id && one.session === id);
    return { harness, id, name: row?.label ?? id, row, more: args._ };
  }
  if (id !== undefined || args.harness !== undefined) {
    throw new Failure(
      "USAGE",
      "--harness and --id name a session together",
      `Write both: moth ${verb} --harness HARNESS --id ID`,
    );
  }
  const [word, ...more] = args._;
  if (word === undefined) throw new Failure("USAGE", `${verb} which session?`, `For example: moth ${verb} my-app`);
  const row = sessionToTakeUp(verb, word, (await createClient(io.env).sessions()).sessions);
  return { harness: harnessToStart(row.source), id: row.session, name: row.label, row, more };
}

/** One that runs cannot be resumed: of several that are called alike, one that is over is meant. */
function sessionToTakeUp(verb: "resume" | "fork", word: string, sessions: readonly Session[]): Session {
  const over = verb === "resume" ? sessions.filter((one) => !isOpen(one)) : [];
  return findSession(word, sessionsMeant(word, over).length > 0 ? over : sessions);
}

const ONCE = "Name the session by --harness and --id, or by what moth calls it";

/** Nothing without a moth: whoever names a session in full needs none. */
async function roster(io: Io): Promise<readonly Session[]> {
  try {
    return (await createClient(io.env).sessions()).sessions;
  } catch (error) {
    if (error instanceof Failure && error.code === "NOT_RUNNING") return [];
    throw error;
  }
}

function resuming({ harness, id, name, row }: Meant): string[] {
  const { resume, fork } = harness.launch.again;
  if (!row || !isOpen(row)) return resume(id);
  const copy = typeof fork === "string" ? "" : `, or go on with a copy: moth fork ${operandWords(name)}`;
  throw new Failure(
    "FAILED",
    `${name} ${row.pid === undefined ? "may still run" : "still runs"} in another window${paneOf(row)}: two would write over each other`,
    `Close it there first${copy}. To go there: moth next --open, when it is the one that wants you`,
  );
}

function forking({ harness, id, name }: Meant, io: Io): string[] {
  const { fork } = harness.launch.again;
  if (typeof fork === "string")
    throw new Failure(
      "USAGE",
      `no copy of ${name} can be begun from here: ${harness.name} ${fork}`,
      `Open it: moth resume ${operandWords(name)}`,
    );
  const words = fork(id, io.env);
  if (words) return words;
  throw new Failure("FAILED", `there is no record of ${name} among those of ${harness.name}`, "Was it deleted?");
}

/** Whether somebody else writes to it. One of no known process is taken for closed when nothing was heard of it for long. */
function isOpen({ state, pid, active }: Session): boolean {
  if (state === "gone") return false;
  return pid === undefined ? state !== "idle" || active : isAlive(pid);
}

function paneOf({ pane }: Session): string {
  const known = pane === undefined ? undefined : parsePane(pane);
  return known ? ` (${known.kind} ${known.id})` : "";
}

/** Where a session looks for itself: most harnesses find only those of the folder they are started in. */
function folder({ name, row }: Meant, given: string | undefined): string | undefined {
  if (given !== undefined || !row) return folderOf(given);
  if (!row.cwd) {
    if (basename(process.cwd()) === row.label.replace(/ \([^()]*\)$/, "")) return undefined;
    throw new Failure("FAILED", `moth has not heard which folder ${name} was begun in`, "Say it: --cwd DIR");
  }
  if (isFolder(row.cwd)) return row.cwd;
  throw new Failure("FAILED", `the folder ${name} was begun in is not there any more: ${row.cwd}`, "Give another: --cwd DIR");
}
