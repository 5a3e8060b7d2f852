import type { Answer, Question } from "./asking.ts";
import type { Engine } from "./host.ts";

/** An answer on its way. */
export interface Asked {
  /** moth's line; undefined when there is none. Never rejects. */
  line: Promise<string | undefined>;
  /** Ends the asking; the line is undefined then. */
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
  const ask = async (): Promise<string | undefined> => {
    const root = (await $.process.hookEnv())["CLAUDE_PLUGIN_ROOT"];
    if (stopped || !root) return undefined;
    const child = $.process.spawn({ argv: ["node", `${root}/dist/moth-inside.cjs`], input: JSON.stringify(question) });
    end = () => void child.return(undefined).catch(() => {});
    let answer = "";
    for await (const { stream, text } of child) if (stream === "stdout") answer += text;
    return stopped || answer === "" ? undefined : (JSON.parse(answer) as Answer).line;
  };
  return { line: ask().catch(() => undefined), stop };
}
