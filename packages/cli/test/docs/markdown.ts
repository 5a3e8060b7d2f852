/** What the documents of the repository say, as far as a test can hold them to it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT: string = fileURLToPath(new URL("../../../../", import.meta.url));

const NOT_OURS = new Set(["node_modules", "dist", "clis"]);

/** A fenced block of code. */
interface Block {
  language: string;
  /** The line it begins in. */
  line: number;
  text: string;
}

export interface Document {
  /** Within the repository. */
  name: string;
  /** Code spans that begin and end in one line, outside blocks. */
  spans: { line: number; text: string }[];
  links: { line: number; target: string }[];
  blocks: Block[];
  /** What a link can lead to, as GitHub makes it of a heading. */
  anchors: Set<string>;
}

/** Every document that is written by hand. */
export function documents(): Document[] {
  return [...markdownIn("")].filter((name) => !name.endsWith("CHANGELOG.md")).map(readDocument);
}

function* markdownIn(folder: string): Generator<string> {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !entry.name.startsWith(".") && !NOT_OURS.has(entry.name)) yield* markdownIn(name);
    if (entry.isFile() && entry.name.endsWith(".md")) yield name;
  }
}

function readDocument(name: string): Document {
  const document: Document = { name, spans: [], links: [], blocks: [], anchors: new Set() };
  let block: Block | undefined;
  for (const [at, text] of readFileSync(join(ROOT, name), "utf8").split(/\r?\n/).entries()) {
    const line = at + 1;
    const fence = /^ *```(.*)$/.exec(text);
    if (fence && block) block = void document.blocks.push(block);
    else if (fence) block = { language: fence[1]!.trim(), line, text: "" };
    else if (block) block.text += `${text}\n`;
    else readLine(document, text, line);
  }
  return document;
}

function readLine({ spans, links, anchors }: Document, text: string, line: number): void {
  for (const [, span = ""] of text.matchAll(/`([^`]+)`/g)) spans.push({ line, text: span.replaceAll("\\|", "|") });
  const plain = text.replace(/`[^`]*`/g, "");
  for (const [, target = ""] of plain.matchAll(/\]\(([^)\s]+)(?:\s[^)]*)?\)/g)) links.push({ line, target });
  const heading = /^#+ +(.*)$/.exec(text)?.[1];
  if (heading !== undefined) anchors.add(anchorOf(heading, anchors));
}

function anchorOf(heading: string, taken: ReadonlySet<string>): string {
  const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  const slug = words
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");
  let anchor = slug;
  for (let again = 1; taken.has(anchor); again++) anchor = `${slug}-${again}`;
  return anchor;
}
