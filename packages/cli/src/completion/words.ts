import { spellings } from "../args.ts";
import { COMMANDS, isCommand } from "../commands/index.ts";

/** What a flag's value can be: one of some words (none of them known: the person's own), a session, or a folder. */
interface Value {
  is: "session" | "folder" | readonly string[];
}

/** What a shell can offer after `moth`. */
export interface Word {
  name: string;
  summary: string;
  flags: { names: string[]; description: string; value?: Value }[];
  /** What else may follow. */
  operands: readonly string[];
  /** The first of them is a session, which the running moth is asked for. */
  takesSession: boolean;
}

/** Every command with its flags and operands, as the commands themselves declare them. */
export async function completionWords(): Promise<Word[]> {
  const entries = Object.entries(COMMANDS).filter(([name]) => isCommand(name));
  return Promise.all(
    entries.map(async ([name, { summary, load }]) => {
      const command = await load();
      const flags = Object.entries(command.args).map(([flag, def]) => ({
        names: spellings(flag, def),
        description: def.description ?? "",
        ...(def.type !== "boolean" && { value: { is: valueOf(def.valueHint) } }),
      }));
      return { name, summary, flags, operands: await command.operandChoices(), takesSession: command.takesSession };
    }),
  );
}

/** By the word that help shows for it. */
function valueOf(hint = ""): Value["is"] {
  if (hint === "LABEL") return "session";
  if (hint === "DIR") return "folder";
  return hint.includes("|") ? hint.split("|") : [];
}
