/**
 * Asks moth for the band, also for what the person has Claude Code do from elsewhere: a mod's own requests would go through `HTTP_PROXY`, with the token and the agent's words in them, and cannot
 * be ended. One question on stdin, one answer on stdout, prints nothing else.
 */
import { isAlive } from "@moth-companion/core/alive";
import { nextOrder, tellTaken } from "@moth-companion/core/orders";
import { ownLine } from "@moth-companion/core/own-line";
import { talk } from "@moth-companion/core/talk";
import type { Answer, Question } from "./asking.ts";

const SOURCE = "claude-code";
const PARENT_EVERY_MS = 2000;

let asked = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk: string) => (asked += chunk));
process.stdin.on("error", () => {});
process.stdin.on("end", () => {
  // The asking keeps no process alive by itself.
  const alive = setInterval(() => {}, 60_000);
  void answer()
    .then((found) => process.stdout.write(JSON.stringify(found)))
    // Nobody is there to read a complaint.
    .catch(() => {})
    .finally(() => clearInterval(alive));
});

async function answer(): Promise<Answer> {
  const question = JSON.parse(asked) as Question;
  if ("talk" in question) {
    const said = await talk(question.talk);
    return said.ok ? { line: said.text } : { problem: said.problem };
  }
  if ("orders" in question) {
    const { orders: session, told } = question;
    if (told) await tellTaken(told.id, told.taken ? { taken: true } : { taken: false, problem: told.problem ?? "" });
    const order = await nextOrder({ source: SOURCE, session, takes: ["prompt", "abort"] }, untilParentEnds());
    return order ? { order } : {};
  }
  const remark = await ownLine({ source: SOURCE, session: question.session }, question.after);
  return remark ? { line: remark.text } : {};
}

/** Claude Code ends this program with the session, unless it is killed itself. */
function untilParentEnds(): AbortSignal {
  const over = new AbortController();
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent || !isAlive(parent)) over.abort();
  }, PARENT_EVERY_MS).unref();
  return over.signal;
}
