import { Failure } from "../errors.ts";
import type { Io } from "../io.ts";

/** Asks yes or no. @throws Failure USAGE when nobody can answer */
export async function confirm(question: string, about: { what: string; next: string }, io: Io): Promise<boolean> {
  // A prompt that nobody can answer would end the process in silence.
  if (!io.stdin.isTTY || !io.stdout.isTTY) {
    throw new Failure("USAGE", `this asks before it ${about.what}, and there is no terminal to ask in`, about.next);
  }
  const prompts = await import("@clack/prompts");
  const answer = await prompts.confirm({ message: question, input: io.stdin, output: io.stdout });
  return answer === true;
}
