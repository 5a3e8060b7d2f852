/** The two tools of a voice that is a model. They reach moth's home and nothing else: no network, no program. */
import { cutText, oneLine } from "@moth-companion/core/text";
import type { Deed } from "../voice.ts";
import { DIARY, type Home, HomeError } from "./home.ts";

/** What a model calls. */
export interface Call {
  id: string;
  name: string;
  /** JSON, as the model wrote it. */
  args: string;
}

/** A tool as OpenAI's chat dialect describes it. */
export interface ToolSpec {
  type: "function";
  function: { name: string; description: string; parameters: object };
}

/** What may be called in one answer. */
export interface Tools {
  specs: readonly ToolSpec[];
  run(call: Call): { deed: Deed; answer: string; isWrite: boolean };
}

const text = { type: "string" };

const READ: ToolSpec = {
  type: "function",
  function: {
    name: "read",
    description: "Reads a file of your home.",
    parameters: { type: "object", properties: { file: text }, required: ["file"] },
  },
};
const WRITE: ToolSpec = {
  type: "function",
  function: {
    name: "write",
    description: `Writes a file of your home. ${DIARY}: adds an entry. Any other: replaces it; an empty text removes it.`,
    parameters: {
      type: "object",
      properties: { file: { ...text, description: "a plain name, like likes.md" }, text },
      required: ["file", "text"],
    },
  },
};
const WRITE_DIARY: ToolSpec = {
  type: "function",
  function: {
    name: "write",
    description: "Adds an entry to your diary.",
    parameters: { type: "object", properties: { file: { ...text, enum: [DIARY] }, text }, required: ["file", "text"] },
  },
};

/** When the person talks to moth: both tools. @param repeats whether a text repeats an agent's words */
export function homeTools(home: Home, repeats: (text: string) => boolean): Tools {
  return { specs: [READ, WRITE], run: (call) => run(home, call, repeats, undefined) };
}

/** When moth reacts to an agent's text, a stranger's: only the diary, and only adding to it. */
export function diaryTool(home: Home, repeats: (text: string) => boolean): Tools {
  return { specs: [WRITE_DIARY], run: (call) => run(home, call, repeats, DIARY) };
}

function run(
  home: Home,
  { name, args }: Call,
  repeats: (text: string) => boolean,
  only: string | undefined,
): ReturnType<Tools["run"]> {
  const { file, text: words } = argumentsOf(args);
  const command = commandOf(name, file, words);
  const isWrite = name === "write";
  try {
    if (name !== "write" && (name !== "read" || only !== undefined))
      throw new HomeError(`There is no tool ${oneLine(name).slice(0, 40)} here.`);
    if (file === undefined) throw new HomeError("The arguments must be a JSON object with a file.");
    if (name === "read") return { deed: { text: command }, answer: home.read(file), isWrite };
    if (words === undefined) throw new HomeError("The arguments must have a text.");
    if (only !== undefined && file !== only) throw new HomeError(`Only ${only} may be written now.`);
    if (repeats(words)) throw new HomeError("Use your own words: that repeats what an agent wrote.");
    const done = home.write(file, words);
    return { deed: { text: commandOf(name, done.file, words) }, answer: `${done.file}: ${done.did}.`, isWrite };
  } catch (error) {
    if (!(error instanceof HomeError)) throw error;
    return { deed: { text: command, error: error.message }, answer: error.message, isWrite };
  }
}

function argumentsOf(args: string): { file?: string; text?: string } {
  try {
    const given: unknown = JSON.parse(args);
    if (typeof given !== "object" || given === null) return {};
    const { file, text: words } = given as Record<string, unknown>;
    return { ...(typeof file === "string" ? { file } : {}), ...(typeof words === "string" ? { text: words } : {}) };
  } catch {
    return {};
  }
}

/** What was done, as one would type it. */
function commandOf(name: string, file: string | undefined, words: string | undefined): string {
  const on = short(file ?? "?", 50);
  if (name === "read") return `cat ${on}`;
  if (name !== "write") return `${short(name, 40)} ${on}`;
  const isEmpty = words?.trim() === "";
  return isEmpty && file !== DIARY
    ? `rm ${on}`
    : `echo '${short(words ?? "", 120).replaceAll("'", "’")}' ${file === DIARY ? ">>" : ">"} ${on}`;
}

function short(given: string, max: number): string {
  return cutText(oneLine(given), max);
}
