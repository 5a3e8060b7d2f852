/**
 * `node moth-hook.cjs <harness> [if-waiting]`: reads one event on stdin, reports it to moth, ends.
 * `node moth-hook.cjs <harness> answer`: the same, for a harness that wants JSON from its hooks: `{}`, which decides nothing.
 * `node moth-hook.cjs <harness> asks`: the same, for an event that asks the person: while answers are on it waits for theirs, for as long
 * as the harness asks, and prints it.
 * `node moth-hook.cjs <harness> holds`: the same where the harness shows its dialog only when the hook has ended: it waits while the
 * person is away, and as long as there is a moth to answer through.
 * `node moth-hook.cjs <harness> later`: the same again, apart from the harness and with more time; the event is in `MOTH_EVENT`.
 * `node moth-hook.cjs <harness> notify [<program> <argument>...] <event>`: the same with an event that is the last argument; the program
 * that would be told of it without moth is started with it first.
 *
 * A guest in somebody else's program: it prints nothing, exits 0, decides nothing, and is gone within a second (or soon after it could
 * begin, on a machine that is busier than that) whatever happens to its stdin or to moth; but for what the person has answered. Every
 * millisecond counts, since the harness waits for it.
 */
import { answersOn, awayOn } from "@moth-companion/core/config";
import { openPipe } from "@moth-companion/core/pipe";
import type { ReportOrigin } from "@moth-companion/core/protocol";
import { dial, sendState, sendTurn } from "@moth-companion/core/report";
import { findPayload, type Report } from "@moth-companion/harnesses/payloads";
import { answerNothing } from "./answer.ts";
import { leave, parseInput, readInput } from "./input.ts";
import { EVENT_VARIABLE, readLater } from "./later.ts";
import { passOn } from "./pass-on.ts";
import { dropWait, keepWaits, mayWait, waitsSince } from "./waits.ts";

/** Milliseconds from the start of the process to its end, at most. */
const LIMIT_MS = 900;
/** What one has at least that a busy machine let begin late. */
const LEAST_MS = 500;
/** The same for one that nobody waits for. */
const LATER_LIMIT_MS = 12_000;

// Not `performance`: loading it takes longer than everything this program does.
const age = process.uptime() * 1000;
const started = Date.now() - age;
const env = process.env;

/** Of the file that runs this program: keeps it compiled as it is by now. */
declare const keep: () => void;

function end(): void {
  // Not by an empty event loop: an open stdin would hold it.
  leave();
}

/** Whoever started this program, or its launcher. On Windows that is a shell. */
function caller(): number | undefined {
  const pid = Number(env["MOTH_CALLER"]) || process.ppid;
  return process.platform === "win32" || pid <= 1 ? undefined : pid;
}

async function main(): Promise<void> {
  const [harness, condition, ...words] = process.argv.slice(2);
  if (condition === "notify") await passOn(words);
  if (condition === "answer") answerNothing();
  const readPayload = harness === undefined ? undefined : findPayload(harness);
  if (!readPayload || !harness || (condition === "if-waiting" && !mayWait(env, harness))) return;
  // A line that is open for seconds may be closed from the other end.
  const isLater = condition === "later";
  let pipe = isLater ? undefined : openPipe(env);
  let line = isLater || pipe !== undefined ? undefined : dial(env);
  const isHeard = line !== undefined || pipe !== undefined || isLater;
  // A wait that it ends is over for a later moth, too.
  if (!isHeard && !mayWait(env, harness)) return;
  const handed = condition === "notify" ? (words.at(-1) ?? "") : isLater ? (env[EVENT_VARIABLE] ?? "") : undefined;
  const payload = handed === undefined ? await readInput() : parseInput(handed);
  let remaining: unknown;
  let reached = false;
  let ended = false;
  const later = (event: unknown): void => void (remaining = event);
  const isHeld = condition === "holds" && awayOn(env);
  const answers = isHeld || (condition === "asks" && answersOn(env));
  const context = {
    env,
    seq: Math.round(started),
    caller: caller(),
    waitsSince: (from: ReportOrigin) => waitsSince(env, from),
    ...(!isLater && { later }),
    ...(answers && { answers }),
  };
  for (const read of await readPayload(payload, context)) {
    // One that nobody has heard of is none to be ended.
    if (!isHeard && read.to === "state" && read.body.wait) continue;
    const report = keepWaits(env, read);
    if (!report || !isHeard) continue;
    ended ||= report.body.outcome !== undefined;
    // Either takes one report; few events make more than one.
    const way = line ? { env, line } : { env, pipe };
    pipe = line = undefined;
    reached = await (report.to === "agent" ? sendTurn(report.body, way) : sendState(report.body, way));
    if (reached && report.to === "state") await waitForPerson(report, read, isHeld);
  }
  // Without a moth there is nobody to look for anything for.
  if (reached && remaining !== undefined) await readLater(harness, remaining);
  // At a turn's end most of the program has run.
  if (reached && ended) keep();
}

/** Where the hook can hand over an answer. @param read the report before the wait had a name of its own */
async function waitForPerson(
  { ask, body: { wait, ...body } }: Report & { to: "state" },
  read: Report,
  isHeld: boolean,
): Promise<void> {
  if (!ask || !wait) return;
  clearTimeout(limit);
  const { askPerson } = await import("./ask-person.ts");
  const asksOn = await askPerson(ask, { ...body, wait }, { caller: caller(), env, isHeld });
  if (read.to !== "state" || !read.body.wait) return;
  dropWait(env, body, read.body.wait.id, wait.id);
  if (!asksOn) return;
  const { id, kind, tool } = read.body.wait;
  const why = "Its dialog is in its window by now.";
  const inWindow: Report = { to: "state", body: { ...body, wait: { id, kind, ...(tool && { tool }), answerable: false, why } } };
  if (keepWaits(env, inWindow)) await sendState(inWindow.body, { env });
}

process.on("uncaughtException", end);
const limit = setTimeout(end, Math.max(LEAST_MS, (process.argv[3] === "later" ? LATER_LIMIT_MS : LIMIT_MS) - age));
main().then(end, end);
