/**
 * What a dialog of dsh's asks, in our own words, and the value that answers it. What is not understood is left to dsh's own page.
 * Shapes as in dsh 0.1.0-rc.8. Nothing here throws.
 */
import { type Answer, WHY_NOT } from "@moth-companion/core/protocol";
import { clearOptions } from "@moth-companion/core/text";
import { field, list, parsed, text } from "@moth-companion/core/fields";

/** A value that answers the dialog, or why there is none: a sentence for the person. */
type Given = { value: object } | { problem: string };

export interface Asks {
  text: string;
  options?: string[];
  /** Missing: it can be answered in dsh's page alone. */
  give?: (answer: Answer) => Given;
  /** Why it is. */
  why?: string;
}

/** Tells what an open dialog asks; undefined: it is another one. */
export type Read = (dialog: unknown) => Asks | undefined;

/** @param data of the session's event `approval/asked` */
export function readApproval(session: unknown, data: unknown): Read {
  return (dialog) => {
    const approvalId = text(data, "id");
    const sessionId = text(dialog, "sessionId");
    if (field(dialog, "type") !== "approval/requested" || text(dialog, "approvalId") !== approvalId) return undefined;
    const reason = text(data, "reason");
    const call = callOf(session, text(data, "callId"), text(data, "toolName"));
    // Nobody allows what is not seen.
    if (!call) return { text: reason ?? "", why: WHY_NOT.unknown };
    const asked = [describe(call, reason), reason].filter(Boolean).join("\n");
    return {
      text: asked,
      give({ choice, text: words }) {
        if (words || (choice !== "allow" && choice !== "deny")) return { problem: "It takes allow or deny, without words." };
        return { value: { sessionId, approvalId, outcome: choice === "allow" ? "allowed-once" : "rejected" } };
      },
    };
  };
}

/** @param data of the call of the tool that asks the person */
export function readQuestion(session: unknown, data: unknown): Read {
  const isOf = questionsOf(session);
  return (dialog) => {
    const asked = list(field(parsed(text(data, "arguments")), "questions"));
    const questions = isOf(dialog);
    const isSame = (one: unknown, at: number): boolean =>
      text(one, "id") === text(asked[at], "id") && text(one, "question") === text(asked[at], "question");
    if (!questions || questions.length !== asked.length || !questions.every(isSame)) return undefined;
    const [only, ...more] = questions;
    // Several at once are the page's, as is one with several answers.
    if (more.length > 0 || field(only, "intent") !== undefined)
      return { text: questions.map(wordsOf).join("\n"), why: more.length > 0 ? WHY_NOT.several : WHY_NOT.unknown };
    const labels = list(field(only, "options")).map((option) => text(option, "label") ?? "");
    const options = clearOptions(labels);
    if (field(only, "multiSelect") === true) return { text: wordsOf(only), why: WHY_NOT.multiple };
    if (!options) return { text: wordsOf(only), why: WHY_NOT.options };
    const give = ({ choice, text: words = "" }: Answer): Given => {
      const custom = words.trim();
      if (choice === undefined)
        return custom ? answer(dialog, only, { custom }) : { problem: "It takes one of its options, or words." };
      const label = labels[options.indexOf(choice)];
      if (label === undefined || custom) return { problem: "It takes one of its options or words, and not both." };
      return answer(dialog, only, { selected: [label] });
    };
    return { text: wordsOf(only), ...(options.length > 0 && { options }), give };
  };
}

/** @param data of the call of the tool that shows the person a plan */
export function readPlan(session: unknown, data: unknown): Read {
  const isOf = questionsOf(session);
  return (dialog) => {
    const [review, ...more] = isOf(dialog) ?? [];
    const plan = text(review, "detail");
    const intent = field(review, "intent");
    if (field(intent, "kind") !== "plan-review" || plan === undefined) return undefined;
    if (plan !== text(parsed(text(data, "arguments")), "plan")) return undefined;
    const approve = text(intent, "approve");
    if (more.length > 0 || approve === undefined) return { text: plan, why: WHY_NOT.unknown };
    return {
      text: plan,
      give({ choice, text: words = "" }) {
        const custom = words.trim();
        // To dsh an approval with words is a plan that is kept.
        if (choice === "approve")
          return custom ? { problem: "An approval takes no words." } : answer(dialog, review, { selected: [approve] });
        if (choice === "reject") return answer(dialog, review, custom ? { custom } : {});
        return { problem: "It takes approve, or reject with or without words." };
      },
    };
  };
}

function questionsOf(session: unknown): (dialog: unknown) => readonly unknown[] | undefined {
  const sessionId = text(session, "id");
  return (dialog) => {
    const isOpen = field(dialog, "type") === "question/requested" && text(dialog, "sessionId") === sessionId;
    return isOpen ? list(field(dialog, "questions")) : undefined;
  };
}

function answer(dialog: unknown, question: unknown, how: { selected?: string[]; custom?: string }): Given {
  const answers = [{ id: text(question, "id"), selected: [], ...how }];
  return { value: { sessionId: text(dialog, "sessionId"), answer: { answers } } };
}

/** A question, and what is said of its options beyond their names. */
function wordsOf(question: unknown): string {
  const options = list(field(question, "options")).flatMap((option) => {
    const [label, more] = [text(option, "label"), text(option, "description")];
    return more === undefined || more === label ? [] : [`${label}: ${more}`];
  });
  return [text(question, "question"), text(question, "detail"), ...options].filter(Boolean).join("\n");
}

/** The arguments of a call that the session's log holds. */
function callOf(session: unknown, callId: string | undefined, tool: string | undefined): object | undefined {
  const found = list(field(session, "events")).findLast(
    (event) => field(event, "type") === "tool/call" && text(field(event, "data"), "callId") === callId,
  );
  const data = field(found, "data");
  const args = text(data, "name") === tool ? parsed(text(data, "arguments")) : undefined;
  return callId !== undefined && typeof args === "object" && args !== null ? args : undefined;
}

/** All that a call says: the command as it is, the rest by name; not what stands in dsh's reason again. */
function describe(call: object, reason: string | undefined): string {
  const wider = text(call, "sandbox_permissions");
  const told = reason === `escalate sandbox to ${wider}: ${text(call, "justification")}`;
  return Object.entries(call)
    .filter(([name]) => !told || (name !== "sandbox_permissions" && name !== "justification"))
    .map(([name, value]) => {
      const words = typeof value === "string" ? value : JSON.stringify(value);
      return name === "command" ? words : `${name}: ${words}`;
    })
    .join("\n");
}
