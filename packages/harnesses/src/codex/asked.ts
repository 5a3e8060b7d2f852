/** What Codex's daemon asks of whoever is subscribed to a session (0.171.0), and how its answers look. Foreign input, read here. */
import { type Answer, type WaitKind, WHY_NOT } from "@moth-companion/core/protocol";
import { commandId } from "./payload.ts";
import { field } from "./rollout.ts";

/** A request that waits for the person. */
export interface Asked {
  thread: string;
  /** The request's id on its connection. */
  request: string | number;
  kind: WaitKind;
  /** What its wait is called after, as the hook names it; undefined: nothing tells. */
  call: string | undefined;
  /** What the person is asked. */
  text: string;
  /** The options of a question. */
  options?: string[];
  /** The id of its one question. */
  question?: string;
  /** Why it is answered in the window; then there is no more to it than its kind. */
  why?: string;
}

/** Reads a request; undefined: it is none that waits for the person. */
export function readAsked(message: unknown): Asked | undefined {
  const request = field(message, "id");
  const params = field(message, "params");
  const thread = field(params, "threadId");
  if ((typeof request !== "string" && typeof request !== "number") || typeof thread !== "string") return undefined;
  switch (field(message, "method")) {
    case "item/commandExecution/requestApproval":
      return readCommand(params, { thread, request });
    case "item/tool/requestUserInput":
      return readQuestion(params, { thread, request });
    case "item/fileChange/requestApproval":
      // It names no file and shows no change, so the person would answer blindly.
      return {
        thread,
        request,
        kind: "permission",
        call: undefined,
        text: "",
        why: "Codex tells neither the files nor the change.",
      };
    default:
      return undefined;
  }
}

function readCommand(params: unknown, from: Pick<Asked, "thread" | "request">): Asked | undefined {
  const command = field(params, "command");
  const reason = field(params, "reason");
  if (typeof command !== "string") return undefined;
  // The command is in its shell's clothes here, and bare in the actions, which are several where it is made of several.
  const actions = field(params, "commandActions");
  const bare = Array.isArray(actions) && actions.length === 1 ? field(actions[0], "command") : undefined;
  const text = typeof reason === "string" && reason !== "" ? `${command}\n${reason}` : command;
  return { ...from, kind: "permission", text, call: typeof bare === "string" ? commandId(bare, reason) : undefined };
}

/** Several questions at once, or one whose answer is a secret, are the window's. */
function readQuestion(params: unknown, from: Pick<Asked, "thread" | "request">): Asked | undefined {
  const questions = field(params, "questions");
  if (!Array.isArray(questions) || questions.length === 0) return undefined;
  const item = field(params, "itemId");
  const call = typeof item === "string" ? item : undefined;
  const inWindow = (why: string): Asked => ({ ...from, kind: "question", call, text: "", why });
  if (questions.length > 1) return inWindow(WHY_NOT.several);
  const [only] = questions as unknown[];
  const [id, text, options] = [field(only, "id"), field(only, "question"), field(only, "options")];
  if (field(only, "isSecret") === true) return inWindow("Its answer is a secret.");
  if (typeof id !== "string" || typeof text !== "string") return undefined;
  const labels = Array.isArray(options)
    ? options.map((option) => field(option, "label")).filter((one) => typeof one === "string")
    : [];
  return { ...from, kind: "question", text, call, question: id, ...(labels.length > 0 && { options: labels }) };
}

/** A request that is over, whoever answered it. */
export function readResolved(message: unknown): { thread: string; request: string | number } | undefined {
  if (field(message, "method") !== "serverRequest/resolved") return undefined;
  const thread = field(field(message, "params"), "threadId");
  const request = field(field(message, "params"), "requestId");
  if (typeof thread !== "string" || (typeof request !== "string" && typeof request !== "number")) return undefined;
  return { thread, request };
}

/**
 * The result that hands the answer over. A denial lets the turn go on, and Codex takes no reason with it.
 * @returns undefined when Codex has no such answer
 */
export function resultFor({ kind, question }: Asked, { choice, text }: Answer): object | undefined {
  if (kind === "permission") {
    if (text !== undefined) return undefined;
    return choice === "allow" ? { decision: "accept" } : choice === "deny" ? { decision: "decline" } : undefined;
  }
  const said = choice ?? text;
  return question === undefined || said === undefined ? undefined : { answers: { [question]: { answers: [said] } } };
}
