import { contentOn } from "@moth-companion/core/config";
import { createClient } from "../client.ts";
import { type Command, command } from "../command.ts";
import { EXIT, Failure } from "../errors.ts";
import { print, printJson, warn } from "../io.ts";
import { findSession } from "../notify/find-session.ts";

export const last: Command = command({
  operands: "<session>",
  maxOperands: 1,
  args: {
    json: { type: "boolean", description: "print it as JSON, with its outcome and time" },
  },
  notes: ["The reply as the agent wrote it, as soon as the turn is over."],
  async run(args, io) {
    const [word] = args._;
    if (word === undefined) throw new Failure("USAGE", "whose last reply?", "For example: moth last my-app");
    const client = createClient(io.env);
    const { source, session, label } = findSession(word, (await client.sessions()).sessions, (line) => warn(io, line));
    const reply = await client.last({ source, session });
    if (!reply && !contentOn(io.env))
      throw new Failure("FAILED", `moth hears no reply while content is off`, "To hear them: moth config content on");
    if (!reply)
      throw new Failure(
        "FAILED",
        `moth has heard no reply of ${label} since it was started, or was made to forget it`,
        "Replies are kept in memory only: those from before are in the session's own window",
      );
    const { text, chars } = reply;
    if (args.json) printJson(io, { source, session, label, ...reply, ...(chars !== undefined && { cut: true }) });
    else print(io, text);
    if (chars !== undefined) warn(io, cutWords(text, chars));
    return EXIT.ok;
  },
});

function cutWords(text: string, chars: number): string {
  const [heard, whole] = [text.length, chars].map((count) => count.toLocaleString("en"));
  return `moth: that is not the whole reply: moth was told the first ${heard} of its ${whole} characters. The rest is in its window.`;
}
