/**
 * Finds what an agent says in its own words: Markdown taken apart, with code, quotes, logs and table heads left out.
 */
import { cleanText } from "@moth-companion/core/text";

/** A sentence, list item, heading or table row. */
export interface Sentence {
  kind: "text" | "item" | "heading" | "row";
  /** As written, without emphasis marks. */
  raw: string;
  /** As `raw`, character for character, with code, names of files, addresses and quotations turned into `x`. */
  plain: string;
  /** Sentences of one paragraph share it; later paragraphs have larger ones. */
  block: number;
}

interface Block {
  kind: Sentence["kind"];
  raw: string;
}

const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})/;
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)、])\s+(?:\[[ xX]\]\s+)?/;
const HEADING = /^ {0,3}#{1,6}\s+/;
const ROW = /^\s*\|.*\|\s*$/;
const RULE = /^[\s|:=*_-]*$/;

/** Lines that a program wrote, not the agent. */
const LOG_LINE = new RegExp(
  [
    /at \S.*:\d+/,
    /File ".*", line \d/,
    /Traceback \(most/,
    /Caused by:/,
    /\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
    /\[?\d\d:\d\d:\d\d/,
    /\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE|FAIL|PASS)\b[\]:]?\s/,
    /(?:not ok|ok) \d/,
    /npm (?:ERR!|error|WARN|warn)\s/,
    /[●✓✔✕✗×]\s/,
    /[$%❯] \S/,
  ]
    .map(({ source }) => source)
    .join("|")
    .replace(/^.*$/, "^\\s*(?:$&)"),
);
/** The same, unless the reply begins with it: then it is what the agent has to say. */
const ERROR_LINE = /^\s*(?:[\w.]*(?:Error|Exception)|error|fatal|warning)(?:\[\w+\]| TS\d+)?: /;

/** Characters of a sentence that are searched; its `plain` ends there. */
const SEARCHED = 600;

/** The agent's own sentences, in order: of a reply with very many, the first `max` and the last `max`. */
export function sentences(text: string, max: number): Sentence[] {
  const found = ends(blocks(cleanText(text).split("\n")), max);
  return ends(
    found.flatMap((block, index) => split(block, index, max)),
    max,
  );
}

function ends<T>(all: T[], max: number): T[] {
  return all.length <= 2 * max ? all : [...all.slice(0, max), ...all.slice(-max)];
}

function blocks(lines: string[]): Block[] {
  const found: Block[] = [];
  let fence: string | undefined;
  let inList = false;
  let open = false; // whether the next plain line goes on with the last block
  let any = false;
  for (const line of lines) {
    const said = line.trim();
    // Each pattern is tried where its first character stands, and nowhere else: most lines have none of them.
    const mark = said.startsWith("```") || said.startsWith("~~~") ? FENCE.exec(line)?.[1] : undefined;
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && said === mark) fence = undefined;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      open = false;
      continue;
    }
    if (said === "") {
      open = false;
      continue;
    }
    const indented = line.startsWith("    ") || line.startsWith("\t");
    const item = ITEM.exec(line);
    if (said.startsWith(">") || isLog(line, any)) open = false;
    else if (said.startsWith("|") && ROW.test(line)) {
      const last = found.at(-1);
      // The row above the rule names the columns.
      if (!RULE.test(line)) found.push({ kind: "row", raw: cells(line) });
      else if (last?.kind === "row") found.pop();
      open = false;
    } else if (item && !RULE.test(line)) {
      found.push({ kind: "item", raw: line.slice(item[0].length) });
      inList = open = true;
    } else if (said.startsWith("#") && HEADING.test(line)) {
      found.push({ kind: "heading", raw: line.replace(HEADING, "") });
      inList = open = false;
    } else if (RULE.test(line) || (indented && !inList && !open)) open = false;
    else {
      const last = open ? found.at(-1) : undefined;
      if (last) last.raw += `\n${said}`;
      else found.push({ kind: "text", raw: said });
      if (!indented && !last) inList = false;
      open = true;
    }
    any = true;
  }
  return found;
}

function isLog(line: string, any: boolean): boolean {
  return LOG_LINE.test(line) || (any && ERROR_LINE.test(line));
}

function cells(row: string): string {
  return row
    .trim()
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "")
    .join(": ");
}

// A hard-wrapped line goes on in the next; a short one is a sentence of its own, full stop or not.
const END = /[.!?…]+["')\]”’»]*(?=\s|$)|[。！？｡]+[」』”’）)]*|\n/g;
const WRAPPED = 50;

function split(block: Block, index: number, max: number): Sentence[] {
  const raw = /[`*~]/.test(block.raw)
    ? block.raw.replace(/`+[^`]*`+|\*+|~~/g, (mark) => (mark.startsWith("`") ? mark : ""))
    : block.raw;
  const plain = mask(raw);
  const found: Sentence[] = [];
  let from = 0;
  const cut = (to: number): void => {
    const said = raw.slice(from, to);
    if (said.trim() !== "") {
      const searched = plain.slice(from, Math.min(to, from + SEARCHED));
      const line = searched.includes("\n") ? searched.replaceAll("\n", " ") : searched;
      found.push({ kind: block.kind, raw: said, plain: line, block: index });
    }
    from = to;
  };
  let lineStart = 0;
  // Not `matchAll`, which makes the pattern anew for each block.
  END.lastIndex = 0;
  for (let end = END.exec(plain); end; end = END.exec(plain)) {
    const to = END.lastIndex;
    if (end[0] !== "\n" || end.index - lineStart < WRAPPED) cut(to);
    if (end[0] === "\n") lineStart = to;
  }
  cut(raw.length);
  return ends(found, max);
}

/** What is not the agent's own, and what it cannot do without: most blocks have none, and looking for that is quicker. */
const ASIDE: readonly (readonly [mark: string | RegExp, aside: RegExp])[] = [
  ["`", /`+[^`]*`+/g],
  ["://", /https?:\/\/[^\s)>\]]+/g],
  ["](", /\]\([^()\s]*\)/g],
  ["<", /<[^<>\n]{1,300}>/g],
  ['"', /"[^"\n]{1,200}"/g],
  [/[“„«「『]/, /“[^“”\n]{1,200}”|„[^„“”\n]{1,200}[“”]|«[^«»\n]{1,200}»|「[^「」\n]{1,200}」|『[^『』\n]{1,200}』/g],
  ["'", /(?<![\p{L}\d])'[^'\n]{2,100}'(?![\p{L}\d])/gu],
];
const TOKEN = /[A-Za-z0-9_@~$./\\:-]+/g;
const NAME = /[A-Za-z][_/\\][A-Za-z0-9]|[A-Za-z0-9]\.[A-Za-z]|::|[a-z][A-Z]/;

function mask(raw: string): string {
  let plain = raw.includes("’") ? raw.replaceAll("’", "'") : raw;
  for (const [mark, aside] of ASIDE) {
    if (typeof mark === "string" ? plain.includes(mark) : mark.test(plain))
      plain = plain.replace(aside, (text) => "x".repeat(text.length));
  }
  if (!NAME.test(plain)) return plain;
  return plain.replace(TOKEN, (token) => {
    if (!NAME.test(token)) return token;
    // A full stop or colon at its end belongs to the sentence.
    const end = token.search(/[.:-]{1,3}$/);
    return end < 0 ? "x".repeat(token.length) : "x".repeat(end) + token.slice(end);
  });
}
