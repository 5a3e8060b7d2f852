/** What a PermissionRequest asks, told whole: whoever answers from elsewhere sees neither the dialog nor the file. Seen on 2.1.332. */
import type { WaitKind } from "@moth-companion/core/protocol";
import { oneLine } from "@moth-companion/core/text";
import { subagentAsks } from "../claude-shaped/decision.ts";
import { object, type Payload, text } from "../claude-shaped/events.ts";
import { showsAll } from "../shows-all.ts";

const MAX_OPTIONS = 12;
const MAX_OPTION = 80;

/** A question's tool, and a plan's. */
export const QUESTION = "AskUserQuestion";
export const PLAN = "ExitPlanMode";

export interface Asked {
  text: string;
  options?: string[];
}

/** @returns undefined when it can be answered in its own window alone */
export function readAsked(event: Payload): Asked | undefined {
  const tool = text(event, "tool_name");
  const input = object(event["tool_input"]);
  if (tool === undefined || !input) return undefined;
  if (tool === QUESTION) return readQuestion(input);
  // Without a plan the dialog is another one, with other answers.
  const told = tool === PLAN ? text(input, "plan") : permission(tool, input);
  if (told === undefined) return undefined;
  return whole({ text: subagentAsks(event, told) }, tool === PLAN ? "plan" : "permission");
}

/** The one question that is asked. */
export function questionOf(input: Payload): string | undefined {
  const { questions } = input;
  const [question, ...others] = Array.isArray(questions) ? (questions as unknown[]) : [];
  return others.length > 0 ? undefined : text(object(question) ?? {}, "question");
}

function readQuestion(input: Payload): Asked | undefined {
  const question = questionOf(input);
  if (question === undefined) return undefined;
  const { multiSelect, options } = (input["questions"] as [Payload])[0];
  // Several answers at once are more than one choice says.
  if (multiSelect === true || !Array.isArray(options)) return undefined;
  const all = options.map((option: unknown) => object(option) ?? {});
  const labels = all.map((option) => text(option, "label") ?? "");
  // A choice comes back as moth shows it, and must name one of them.
  if (labels.length > MAX_OPTIONS || new Set(labels).size !== labels.length) return undefined;
  if (labels.some((label) => label === "" || label.length > MAX_OPTION || oneLine(label) !== label)) return undefined;
  const lines = all.map((option, at) => {
    const description = text(option, "description");
    return description === undefined ? labels[at] : `${labels[at]}: ${description}`;
  });
  return whole({ text: [question, "", ...lines.map((line) => `- ${line}`)].join("\n"), options: labels }, "question");
}

function permission(tool: string, input: Payload): string {
  const only = (...keys: string[]): boolean => Object.keys(input).every((key) => keys.includes(key));
  const [command, file] = [text(input, "command"), text(input, "file_path")];
  if (tool === "Bash" && command !== undefined && only("command", "description", "timeout", "run_in_background"))
    return input["run_in_background"] === true ? `${command}\n(in the background)` : command;
  const content = input["content"];
  if (tool === "Write" && file !== undefined && typeof content === "string" && only("file_path", "content"))
    return `${file}, all of it:\n${lines("+", content)}`;
  const { old_string: before, new_string: after, replace_all: everywhere } = input;
  const isEdit = typeof before === "string" && typeof after === "string";
  if (tool === "Edit" && file !== undefined && isEdit && only("file_path", "old_string", "new_string", "replace_all"))
    return `${file}${everywhere === true ? ", wherever it stands" : ""}:\n${lines("-", before)}\n${lines("+", after)}`;
  return `${tool} ${JSON.stringify(input, null, 2)}`;
}

function lines(mark: string, of: string): string {
  return of
    .replaceAll("\r\n", "\n")
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${mark} ${line}`)
    .join("\n");
}

/** What moth would show otherwise than it is, such as escape sequences, is answered where it is seen. */
function whole(asked: Asked, kind: WaitKind): Asked | undefined {
  return showsAll(asked.text, kind) ? asked : undefined;
}
