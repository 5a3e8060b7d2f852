/**
 * Asks moth for the band: a mod's own requests would go through `HTTP_PROXY`, with the token and the agent's words in them, and cannot
 * be ended. One question on stdin, one answer on stdout, prints nothing else.
 */
import { ownLine } from "@moth-companion/core/own-line";
import { talk } from "@moth-companion/core/talk";
import type { Answer, Question } from "./asking.ts";

const SOURCE = "claude-code";

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
  const remark = await ownLine({ source: SOURCE, session: question.session }, question.after);
  return remark ? { line: remark.text } : {};
}
