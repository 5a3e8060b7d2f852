import { Failure } from "../errors.ts";
import type { Io } from "../io.ts";

/** Asks yes or no. @throws Failure USAGE when nobody can answer */
export async function confirm(question: string, io: Io): Promise<boolean> {
  // A prompt that nobody can answer would end the process in silence.
  if (!io.stdin.isTTY || !io.stdout.isTTY) {
    throw new Failure(
      "USAGE",
      "this asks before it changes files, and there is no terminal to ask in",
      "Add --yes to do it, or --dry-run to see it",
    );
  }
  const prompts = await import("@clack/prompts");
  const answer = await prompts.confirm({ message: question, input: io.stdin, output: io.stdout });
  return answer === true;
}
