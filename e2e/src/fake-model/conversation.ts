import { parseScript, type Step } from "./script.ts";

/** A request for a model's answer, whatever dialect it came in. Oldest entry first. */
export interface Conversation {
  entries: Entry[];
  /** Names of the tools the harness offers. */
  tools: string[];
  /** The system prompt and every other text, for `{{find}}` in scripts. */
  everything: string;
}

export type Entry =
  /** What the person asked, or what a harness says in the person's name. */
  { from: "user"; text: string } | { from: "agent" } | { from: "tool" };

export interface Answer {
  /** `side`: the harness asks on its own account, for a title or a summary. */
  kind: "turn" | "side";
  /** The last thing said in the person's name. */
  prompt: string;
  step: Step;
}

/** Text a harness adds to what the person wrote; a model reads it, a script does not. Seen: Claude Code 2.1.332, Kilo 7.7.7, dsh 0.1.0-rc.8, Gemini CLI 0.61.0, Qwen Code 0.24.4. */
const REMINDER =
  /^\s*<(?:system-reminder|environment_details|mode_changed_notice|session_context|hook_context|qwen:user-prompt-submit-context)>|^Current runtime context\./;
/** A harness's news in the person's name, which no person typed. Seen: Claude Code 2.1.332, omp 18.2.3, Hermes 0.19.0, Copilot 1.0.102, dsh 0.1.0-rc.8 (a finished background task). */
const NOTICE =
  /^\s*(?:<system-reminder>[^]*)?<task-notification>|^\s*<system[-_]not(?:ice|ification)>|^\s*\[ASYNC DELEGATION |^Background subagent /;

export const UNSCRIPTED = "ok";

/** Decides the answer by the script in the last prompt and by how far its turn has come. */
export function answer(conversation: Conversation): Answer {
  const users = conversation.entries.flatMap((entry, at) => (entry.from === "user" ? [{ text: entry.text, at }] : []));
  const last = users.at(-1);
  const prompt = last?.text ?? "";
  if (conversation.tools.length === 0) {
    const title = /title/i.test(conversation.everything);
    return { kind: "side", prompt, step: [{ do: "text", text: title ? '{"title":"A scripted session"}' : UNSCRIPTED }] };
  }
  // The step's number is how often the model has spoken since: a request holds the whole turn so far.
  const done = conversation.entries.slice(last?.at ?? 0).filter((entry) => entry.from === "agent").length;
  const notice = NOTICE.test(prompt);
  const scripted = notice ? users.findLast((user) => !NOTICE.test(user.text)) : last;
  const script = parseScript(scripted?.text ?? "");
  const step = (notice ? script?.later : script?.steps)?.[done] ?? [{ do: "text", text: UNSCRIPTED }];
  return { kind: "turn", prompt, step: step.map((move) => fill(move, conversation.everything)) };
}

/**
 * The text that counts of one message's blocks. After a failed turn a harness may send the unanswered prompt and the new one as
 * one message, so the last block wins.
 */
export function promptText(blocks: readonly string[]): string | undefined {
  return blocks.findLast((text) => text.trim() !== "" && (!REMINDER.test(text) || NOTICE.test(text)));
}

/** Puts what `{{find REGEX}}` finds in the request in its place. */
function fill<M extends Step[number]>(move: M, everything: string): M {
  const found = JSON.stringify(move).replace(/\{\{find (.*?)\}\}(?!\})/g, (whole, pattern: string) => {
    const match = new RegExp(JSON.parse(`"${pattern}"`) as string).exec(everything);
    return match ? JSON.stringify(match[0]).slice(1, -1) : whole;
  });
  return JSON.parse(found) as M;
}
