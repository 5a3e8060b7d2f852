import type { Answer, Question } from "./asking.ts";
import type { Engine } from "./host.ts";

/** An answer on its way. */
export interface Asked {
  /** Undefined when moth could not be asked. Never rejects. */
  answer: Promise<Answer | undefined>;
  /** Ends the asking; the answer is undefined then. */
  stop: () => void;
}

/** Asks moth, by the program that lies beside this module. */
export function askMoth($: Engine, question: Question): Asked {
  let stopped = false;
  let end: (() => void) | undefined;
  const stop = (): void => {
    stopped = true;
    end?.();
  };
  const ask = async (): Promise<Answer | undefined> => {
    const root = (await $.process.hookEnv())["CLAUDE_PLUGIN_ROOT"];
    if (stopped || !root) return undefined;
    const child = $.process.spawn({ argv: ["node", `${root}/dist/moth-inside.cjs`], input: JSON.stringify(question) });
    end = () => void child.return(undefined).catch(() => {});
    let output = "";
    for await (const { stream, text } of child) if (stream === "stdout") output += text;
    return stopped ? undefined : (JSON.parse(output) as Answer);
  };
  return { answer: ask().catch(() => undefined), stop };
}
