/** What `bin` starts for a quick command. Only what is asked is made ready, so that the others do not pay for it. */
import { QUICK } from "./quick-commands.ts";

const words: ReadonlySet<string> = new Set(["--version", "-v", "-V", ...QUICK]);

/** Whether a command line of this first word is run here. */
export function takes(word: string | undefined): boolean {
  return word !== undefined && words.has(word);
}

export async function start(): Promise<void> {
  await (await import("./program.ts")).start();
}
