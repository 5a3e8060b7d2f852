/** What Copilot asks, in our own words, and the value that answers it (1.0.102). What is not understood is the person's alone, in the window. */
import { field, list, text } from "@moth-companion/core/fields";
import { type Answer, type WaitKind, WHY_NOT } from "@moth-companion/core/protocol";
import { oneLine } from "@moth-companion/core/text";

/** What Copilot is called with, or why there is nothing: a sentence for the person. */
type Given = { value: object } | { problem: string };

export interface Asks {
  kind: WaitKind;
  text: string;
  options?: string[];
  /** Missing: it can be answered in its window alone. */
  give?: (answer: Answer) => Given;
  /** Why it is. */
  why?: string;
}

const MAX_OPTIONS = 20;
const MAX_OPTION = 160;

/** A `permission.requested`; undefined when nobody is asked. */
export function readPermission(data: unknown, isAgents: boolean): Asks | undefined {
  if (field(data, "resolvedByHook") === true) return undefined;
  const request = field(data, "permissionRequest");
  const told = tellPermission(request);
  // What leaves the sandbox, or what an administrator wants a look at, is seen where Copilot shows it.
  const isPlain = field(request, "requestSandboxBypass") !== true && field(request, "managedApprovalRequired") !== true;
  const whole = isAgents ? `A subagent asks:\n${told ?? ""}` : (told ?? "");
  if (told === undefined) return { kind: "permission", text: whole, why: WHY_NOT.unknown };
  const inWindow = { why: "It leaves the sandbox, or is for an administrator's rules: look at it there." };
  return { kind: "permission", text: whole, ...(isPlain ? { give: permit } : inWindow) };
}

function tellPermission(request: unknown): string | undefined {
  switch (text(request, "kind")) {
    case "shell":
      return text(request, "fullCommandText");
    case "write":
      return lines(text(request, "fileName"), text(request, "diff"));
    case "read": {
      const path = text(request, "path");
      return path && `read ${path}`;
    }
    case "url": {
      const from = text(request, "redirectedFrom");
      return from === undefined ? text(request, "url") : lines(text(request, "url"), `(${from} leads there)`);
    }
    case "mcp":
      return lines(text(request, "serverName"), text(request, "toolName"), json(field(request, "args")));
    case "custom-tool":
      return lines(text(request, "toolName"), json(field(request, "args")));
    default:
      return undefined;
  }
}

function lines(...all: (string | undefined)[]): string | undefined {
  return all.every((line) => line !== undefined) ? all.join("\n") : undefined;
}

function json(value: unknown): string {
  return value === undefined ? "(with nothing)" : JSON.stringify(value, null, 2);
}

function permit({ choice, text: words }: Answer): Given {
  if (choice === "deny") return { value: { result: { kind: "reject", ...(words && { feedback: words }) } } };
  if (choice !== "allow" || words) return { problem: "It takes allow without words, or deny." };
  return { value: { result: { kind: "approve-once" } } };
}

/** An `elicitation.requested` of the model's own. One field with options, or for words, is told; a form is filled in the window. */
export function readQuestion(data: unknown): Asks {
  const message = text(data, "message") ?? "";
  const fields = Object.entries((field(field(data, "requestedSchema"), "properties") ?? {}) as Record<string, unknown>);
  const [name, asked] = fields[0] ?? [];
  const plain: Asks = { kind: "question", text: message };
  if (fields.length > 1) return { ...plain, why: WHY_NOT.several };
  if (text(asked, "type") === "array") return { ...plain, why: WHY_NOT.multiple };
  if (name === undefined || text(asked, "type") !== "string") return { ...plain, why: "It is a form that is filled there." };
  const values = readOptions(asked);
  if (!values) return { ...plain, why: WHY_NOT.options };
  const told = [message, text(asked, "description")].filter((line) => line !== undefined).join("\n");
  const options = values.map(([label]) => label);
  const give = ({ choice, text: words = "" }: Answer): Given => {
    const value = choice === undefined ? words : values.find(([label]) => label === choice)?.[1];
    if (value === undefined || value.trim() === "" || (choice !== undefined && words !== "") || value.includes("\n"))
      return { problem: "It takes one of its options, or one line of words." };
    return { value: { result: { action: "accept", content: { [name]: value } } } };
  };
  return { ...plain, text: told, ...(options.length > 0 && { options }), give };
}

/** Labels and what they stand for; none where words are asked for; undefined where it is neither. */
function readOptions(asked: unknown): [label: string, value: string][] | undefined {
  const bounds = ["format", "pattern", "minLength", "maxLength"];
  const [choices, titled] = [field(asked, "enum"), field(asked, "oneOf")];
  if (choices === undefined && titled === undefined)
    return bounds.some((bound) => field(asked, bound) !== undefined) ? undefined : [];
  const names = list(field(asked, "enumNames"));
  const pairs =
    choices === undefined
      ? list(titled).map((one) => [text(one, "title") ?? text(one, "const"), text(one, "const")] as const)
      : list(choices).map((value, at) => [names[at] ?? value, value] as const);
  const isClear = pairs.every(([label, value]) => typeof value === "string" && isWhole(label));
  const differ = new Set(pairs.map(([label]) => label)).size === pairs.length;
  return isClear && differ && pairs.length > 0 && pairs.length <= MAX_OPTIONS ? (pairs as [string, string][]) : undefined;
}

function isWhole(label: unknown): boolean {
  return typeof label === "string" && label !== "" && label.length <= MAX_OPTION && oneLine(label) === label;
}

/** An `exit_plan_mode.requested`. Approved through moth it goes on under the person's eyes, never by itself. */
export function readPlan(data: unknown): Asks {
  const told = [text(data, "summary"), text(data, "planContent")].filter((part) => part !== undefined);
  const canGoOn = told.length > 0 && list(field(data, "actions")).includes("interactive");
  return { kind: "plan", text: [...new Set(told)].join("\n\n"), ...(canGoOn ? { give: decide } : { why: WHY_NOT.unknown }) };
}

function decide({ choice, text: words }: Answer): Given {
  if (choice === "reject") return { value: { response: { approved: false, ...(words && { feedback: words }) } } };
  if (choice !== "approve" || words) return { problem: "It takes approve without words, or reject." };
  return { value: { response: { approved: true, selectedAction: "interactive" } } };
}
