/** `/moth <text>` in dsh's page. dsh keeps a command, and what comes of it, from the model (0.1.0-rc.8). */
import { oneLine } from "@moth-companion/core/text";
import { readCall } from "./door.ts";
import type { Lines } from "./lines.ts";

/** What is used of dsh's commands. Shape as in dsh 0.1.0-rc.8. */
export interface Commands {
  register(command: Command): () => void;
}

interface Command {
  name: string;
  description: string;
  input: { hint: string };
  /** Whether the person's words go into the session's log. */
  recordInput: boolean;
  handler: (call: unknown) => Promise<Result>;
}

interface Result {
  kind: "success" | "error";
  text?: string;
}

const HELP = "/moth <text> says something to moth. The agent does not hear it, nor moth's answer.";

/** @returns what takes it out again */
export function bringCommand(commands: Commands, lines: Pick<Lines, "say">): () => void {
  return commands.register({
    name: "moth",
    description: "Say something to moth; the agent does not hear it",
    input: { hint: "what you say to it" },
    recordInput: false,
    async handler(call) {
      const { session, words } = readCall(call);
      if (session === undefined || oneLine(words) === "") return { kind: "success", text: HELP };
      const { shown, answer } = lines.say(session, words);
      const said = await answer;
      if (!said.ok) return { kind: "error", text: said.problem };
      // What stands above the composer need not stand in the log, too.
      return { kind: "success", ...(!shown && { text: `moth> ${said.text}` }) };
    },
  });
}
