/** What a prompt tells the fake model to do. The language is described in `e2e/README.md`. */

/** One thing the model does while it answers a request. */
export type Move =
  | { do: "text"; text: string }
  | { do: "tool"; name: string; input: unknown }
  | { do: "hold"; name: string }
  | { do: "error"; status: number };

/** Everything the model does in answer to one request. */
export type Step = readonly Move[];

export interface Script {
  /** The answers to the prompt, one per request of its turn. */
  steps: Step[];
  /** The answers to what comes afterwards without a new prompt, such as the report of a finished background task. */
  later: Step[];
}

const DIRECTIVE = /\[\[\s*(reply|tool|hold|error|empty|then|later|forget)\b\s*:?\s*/g;

/**
 * Reads the directives of a prompt.
 * @returns undefined when it has none
 * @throws when a directive is not understood, so that a mistake in a scenario is not taken for a defect of a harness
 */
export function parseScript(prompt: string): Script | undefined {
  const script: Script = { steps: [], later: [] };
  let steps = script.steps;
  let step: Move[] | undefined;
  let found = false;
  const add = (move?: Move): void => {
    // A model that called a tool waits for its result: what follows is another request's answer.
    if (!step || (step.at(-1)?.do === "tool" && move?.do !== "tool")) steps.push((step = []));
    if (move) step.push(move);
  };

  DIRECTIVE.lastIndex = 0;
  for (let match = DIRECTIVE.exec(prompt); match; match = DIRECTIVE.exec(prompt)) {
    found = true;
    const body = match[1] === "tool" ? toolBody(prompt, DIRECTIVE.lastIndex) : plainBody(prompt, DIRECTIVE.lastIndex);
    DIRECTIVE.lastIndex = body.end;
    switch (match[1]) {
      case "reply":
        add({ do: "text", text: body.text.replaceAll("\\n", "\n") });
        break;
      case "tool":
        add({ do: "tool", ...parseTool(body.text) });
        break;
      case "hold":
        add({ do: "hold", name: body.text });
        break;
      case "error":
        add({ do: "error", status: Number(body.text) || 400 });
        break;
      case "empty":
        add();
        break;
      case "then":
        step = undefined;
        break;
      case "later":
        steps = script.later;
        step = undefined;
        break;
      case "forget":
        script.steps = [];
        script.later = [];
        steps = script.steps;
        step = undefined;
        break;
    }
  }
  return found ? script : undefined;
}

interface Body {
  text: string;
  /** Index behind the closing brackets. */
  end: number;
}

function plainBody(prompt: string, from: number): Body {
  const close = prompt.indexOf("]]", from);
  if (close < 0) throw new Error(`A directive is not closed: ${prompt.slice(Math.max(0, from - 20))}`);
  return { text: prompt.slice(from, close).trim(), end: close + 2 };
}

/** A tool's input is a JSON object and may hold directives of its own: brackets inside it do not close the outer one. */
function toolBody(prompt: string, from: number): Body {
  let depth = 0;
  let inString = false;
  for (let at = from; at < prompt.length; at++) {
    const char = prompt[at];
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{") depth++;
    else if (char === "}") depth--;
    else if (depth === 0 && prompt.startsWith("]]", at)) return { text: prompt.slice(from, at).trim(), end: at + 2 };
  }
  throw new Error(`A tool directive is not closed: ${prompt.slice(Math.max(0, from - 20))}`);
}

function parseTool(text: string): { name: string; input: unknown } {
  const space = text.search(/\s|$/);
  const json = text.slice(space).trim();
  try {
    return { name: text.slice(0, space), input: json ? (JSON.parse(json) as unknown) : {} };
  } catch (cause) {
    throw new Error(`The input of ${text.slice(0, space)} is not JSON: ${json}`, { cause });
  }
}
