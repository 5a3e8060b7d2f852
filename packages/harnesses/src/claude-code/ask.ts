/**
 * How Claude Code is answered: by what its PermissionRequest hook prints (2.1.332). The dialog stands and stays usable while the hook
 * waits, whoever is first wins, and what a hook prints later is ignored.
 */
import { type Answer, type StateReport, type Wait, WHY_NOT } from "@moth-companion/core/protocol";
import { decide as decidePermission, denied, printed } from "../claude-shaped/decision.ts";
import { object, type Payload } from "../claude-shaped/events.ts";
import type { Ask, HookContext, Report } from "../types.ts";
import { PLAN, QUESTION, questionOf, readAsked } from "./asked.ts";
import { configDir } from "./config-dir.ts";
import { readNote } from "./registry-file.ts";

/** The report of a wait with what is asked, where the hook can hand over the answer. */
export function withAsk(body: StateReport, wait: Wait, payload: unknown, { env }: HookContext): Report {
  const event = payload as Payload;
  // In an editor the dialog may be one that only comes after the hooks: nobody has seen.
  const asked = env["CLAUDE_CODE_ENTRYPOINT"] === "cli" ? readAsked(event) : undefined;
  if (!asked) return { to: "state", body: { ...body, wait: { ...wait, why: whyNot(event, env) } } };
  const ask: Ask = { decide: (answer) => decide(event, answer), isOver: watch(configDir(env), body) };
  return { to: "state", body: { ...body, wait: { ...wait, ...asked, answerable: true } }, ask };
}

/** Why it is answered in its window. */
function whyNot(event: Payload, env: HookContext["env"]): string {
  if (env["CLAUDE_CODE_ENTRYPOINT"] !== "cli") return "moth answers Claude Code in a terminal only.";
  if (event["tool_name"] !== QUESTION) return WHY_NOT.unseen;
  const { questions } = object(event["tool_input"]) ?? {};
  const [only, ...others] = Array.isArray(questions) ? (questions as unknown[]) : [];
  if (others.length > 0) return WHY_NOT.several;
  return object(only)?.["multiSelect"] === true ? WHY_NOT.multiple : WHY_NOT.options;
}

/** What the hook prints for an answer. */
export function decide(event: Payload, answer: Answer): ReturnType<Ask["decide"]> {
  const { choice, text: words } = answer;
  const input = object(event["tool_input"]) ?? {};
  switch (event["tool_name"]) {
    case QUESTION: {
      const question = questionOf(input);
      if (question === undefined) break;
      if (choice !== undefined && words !== undefined)
        return { problem: "Claude Code takes one of its options or your own words, not both." };
      const answers = { [question]: choice ?? words };
      return printed({ behavior: "allow", updatedInput: { ...input, answers } });
    }
    case PLAN:
      if (choice === "reject") return denied(words ?? "The user rejected the plan.");
      if (choice !== "approve") break;
      if (words !== undefined) return { problem: "Claude Code takes no words with an approval. Reject the plan with them." };
      // A bare allow is ignored. The mode is the one in which every edit is asked for.
      return printed({
        behavior: "allow",
        updatedInput: input,
        updatedPermissions: [{ type: "setMode", mode: "default", destination: "session" }],
      });
    default:
      return decidePermission("Claude Code", answer);
  }
  return { problem: "Claude Code takes no such answer. Answer it in its window." };
}

/** Looks into the session's note: it says *waiting* while a dialog stands, and something else once none does. */
function watch(folder: string, { session, pid = 0, seq = 0 }: StateReport): () => boolean {
  let wasWaiting = false;
  return () => {
    const note = readNote(folder, pid);
    if (!note) return false;
    if (note.session !== session) return true;
    wasWaiting ||= note.status === "waiting";
    // One that is idle since then asks nothing, also when nobody has looked while it did.
    return (wasWaiting && note.status !== "waiting") || (note.status === "idle" && note.since > seq);
  };
}
