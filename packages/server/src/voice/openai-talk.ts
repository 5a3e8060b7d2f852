/** A question to a model with the rounds its tools take. */
import type { Call, Tools } from "./home/tools.ts";
import { askModel, type Endpoint, type Message, Refused, TooLate } from "./openai-ask.ts";
import type { Deed } from "./voice.ts";

/** How often a model is asked for one line: what it used twice, it must do without the third time. */
const MAX_ASKED = 3;

export interface TalkOptions {
  /** For all rounds together. */
  timeoutMs: number;
  isEnough: (text: string) => boolean;
  tools: Tools | undefined;
  /** Told of each use of a tool, after it. */
  did: (deed: Deed) => void;
  /** Whether the line is still wanted: nothing is written for one that is not. */
  isWanted: () => boolean;
  /** The server does without tools only. */
  onToolless: (why: string) => void;
}

/** @throws as `askModel` */
export async function talk(endpoint: Endpoint, messages: readonly Message[], options: TalkOptions): Promise<string> {
  const until = performance.now() + options.timeoutMs;
  const history = [...messages];
  let { tools } = options;

  async function ask(round: number): Promise<{ text: string; calls: Call[] }> {
    const timeoutMs = Math.max(1, until - performance.now());
    const one = { timeoutMs, isEnough: options.isEnough };
    if (!tools) return askModel(endpoint, history, one);
    try {
      return await askModel(endpoint, history, { ...one, tools: tools.specs, mustSpeak: round === MAX_ASKED });
    } catch (error) {
      if (!(error instanceof Error) || !mayBeTools(error)) throw error;
      const said = await askModel(endpoint, messages, { ...one, timeoutMs: Math.max(1, until - performance.now()) });
      tools = undefined;
      options.onToolless(error.message);
      return said;
    }
  }

  let text = "";
  for (let round = 1; round <= MAX_ASKED; round += 1) {
    const said = await ask(round);
    // What it said before it looked something up is better than nothing.
    text = said.text.trim() === "" ? text : said.text;
    if (!tools || said.calls.length === 0 || round === MAX_ASKED) break;
    if (!options.isWanted() || performance.now() >= until) throw new TooLate("it was too late to go on");
    history.push({ role: "assistant", content: said.text, calls: said.calls });
    let needsMore = said.text.trim() === "";
    for (const call of said.calls) {
      const { deed, answer, isWrite } = tools.run(call);
      options.did(deed);
      needsMore ||= !isWrite || deed.error !== undefined;
      history.push({ role: "tool", content: answer, call });
    }
    // A line that came along with what it wrote down is the line.
    if (!needsMore) break;
  }
  return text;
}

/** Whether an error may come from the tools alone: some servers and models take none, and each says so in its own way. */
function mayBeTools(error: Error): boolean {
  if (error instanceof TooLate) return false;
  if (/\b(?:tool|function|jinja)/i.test(error.message)) return true;
  return error instanceof Refused && [400, 422, 501].includes(error.status);
}
