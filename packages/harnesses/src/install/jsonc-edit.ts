/**
 * Edits of JSON text that leave every other byte in its place, and undo each other to the byte: what `insertChild` put in,
 * `removeChild` takes out, whatever comments, commas and line ends stand around it.
 */
import { createScanner } from "jsonc-parser";
import { type Document, end, type Node } from "./jsonc.ts";

// jsonc-parser's SyntaxKind, which is a const enum and so not there at run time.
const COMMA = 5;
const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const LINE_BREAK = 14;
const EOF = 17;

interface Token {
  kind: number;
  start: number;
  end: number;
}

/** A new text, and what the edit replaced where a container was empty: `removeChild` wants it back. */
export interface Inserted {
  text: string;
  blank?: string;
}

/**
 * Adds a last child. Its text is laid out as the container's others are.
 * @param key of an object's new property; undefined in an array
 */
export function insertChild({ text, root }: Document, container: Node, key: string | undefined, value: unknown): Inserted {
  const close = end(container) - 1;
  const last = container.children?.at(-1);
  const eol = /\r\n|\r|\n/.exec(text)?.[0] ?? "\n";
  const whole = last ? container : root;
  const inline = Boolean(whole.children?.length) && !/[\r\n]/.test(text.slice(whole.offset, end(whole)));
  const unit = indentUnit(text, root);
  const base = indentAt(text, container.offset);
  const indent = (last && ownIndent(text, last)) ?? base + unit;
  const item = (key === undefined ? "" : `${JSON.stringify(key)}: `) + layOut(value, inline ? undefined : { unit, indent, eol });

  if (!last) {
    const comments = scan(text, container.offset + 1, close).filter(isComment);
    const from = comments.at(-1)?.end ?? container.offset + 1;
    const filled = inline ? item : eol + indent + item + eol + base;
    return { text: text.slice(0, from) + filled + text.slice(close), blank: text.slice(from, close) };
  }
  const after = scan(text, end(last), close);
  const comma = after.find((token) => token.kind === COMMA);
  const gap = inline ? gapBefore(text, last) : eol + indent;
  const at = lineEnd(after, comma?.end ?? end(last));
  if (comma) return { text: `${text.slice(0, at)}${gap}${item},${text.slice(at)}` };
  return { text: `${text.slice(0, end(last))},${text.slice(end(last), at)}${gap}${item}${text.slice(at)}` };
}

/**
 * Takes a child out, with its comma.
 * @param blank what stood in the container before its first child came
 */
export function removeChild({ text }: Document, container: Node, child: Node, blank?: string): string {
  const children = container.children ?? [];
  const index = children.indexOf(child);
  const previous = children[index - 1];
  const next = children[index + 1];
  const close = end(container) - 1;
  const before = scan(text, previous ? end(previous) : container.offset + 1, child.offset);
  const after = scan(text, end(child), next?.offset ?? close);
  const ownComma = after.find((token) => token.kind === COMMA);
  const spareComma = next || ownComma ? ownComma : before.find((token) => token.kind === COMMA);

  let from =
    before.findLast((token) => token.kind === COMMA || isComment(token))?.end ??
    (previous ? end(previous) : container.offset + 1);
  const afterLineComment = before.some((token) => token.kind === LINE_COMMENT && token.end === from);
  const to = end(child);
  if (!previous && !next && !after.some(isComment)) {
    const rest = text.slice(ownComma?.end ?? to, close);
    const fill = blank ?? (before.some(isComment) ? rest : "");
    return text.slice(0, from) + keepLineOpen(fill, afterLineComment) + text.slice(close);
  }
  if (!previous && next && !after.some(isComment)) return text.slice(0, child.offset) + text.slice(next.offset);
  // What follows must not slip into the comment before.
  const rest = text.slice(to);
  if (afterLineComment && !/^[ \t]*,?[ \t]*[\r\n]/.test(rest)) from = skipBreak(text, from);
  const cuts: [number, number][] = [[from, to]];
  if (spareComma) cuts.push([spareComma.start, spareComma.end]);
  return cut(text, cuts);
}

/** Puts another value in a value's place. */
export function replaceValue({ text, root }: Document, node: Node, value: unknown): string {
  const inline = !/[\r\n]/.test(text.slice(node.offset, end(node)));
  const eol = /\r\n|\r|\n/.exec(text)?.[0] ?? "\n";
  const layout = inline ? undefined : { unit: indentUnit(text, root), indent: indentAt(text, node.offset), eol };
  return text.slice(0, node.offset) + layOut(value, layout) + text.slice(end(node));
}

/** Whether comments stand between a container's brackets and its only child. */
export function hasComments({ text }: Document, container: Node): boolean {
  const child = container.children?.[0];
  const close = end(container) - 1;
  const around = child
    ? [...scan(text, container.offset + 1, child.offset), ...scan(text, end(child), close)]
    : scan(text, container.offset + 1, close);
  return around.some(isComment);
}

/** An object's properties one to a line, each value on that line; other values on one line. */
function layOut(value: unknown, layout: { unit: string; indent: string; eol: string } | undefined): string {
  if (!layout || typeof value !== "object" || value === null || Array.isArray(value)) return onOneLine(value);
  const { unit, indent, eol } = layout;
  const lines = Object.entries(value).map(([key, one]) => `${eol}${indent}${unit}${JSON.stringify(key)}: ${onOneLine(one)}`);
  return `{${lines.join(",")}${eol}${indent}}`;
}

function onOneLine(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${JSON.stringify(key)}: ${onOneLine(one)}`)
    .join(", ")} }`;
}

/** All but white space: commas, comments, line breaks. */
function scan(text: string, from: number, to: number): Token[] {
  const scanner = createScanner(text.slice(from, to), false);
  const tokens: Token[] = [];
  for (let kind = scanner.scan() as number; kind !== EOF; kind = scanner.scan()) {
    const start = from + scanner.getTokenOffset();
    tokens.push({ kind, start, end: start + scanner.getTokenLength() });
  }
  return tokens.filter((token) => token.kind === LINE_BREAK || token.kind === COMMA || isComment(token));
}

function isComment(token: Token): boolean {
  return token.kind === LINE_COMMENT || token.kind === BLOCK_COMMENT;
}

/** From `start` past the comments on the same line: they speak of what stands before them. */
function lineEnd(tokens: Token[], start: number): number {
  let at = start;
  for (const token of tokens) {
    if (token.start < start) continue;
    if (token.kind === LINE_BREAK) break;
    if (isComment(token)) at = token.end;
  }
  return at;
}

function cut(text: string, ranges: [number, number][]): string {
  let result = text;
  for (const [from, to] of ranges.sort(([a], [b]) => b - a)) result = result.slice(0, from) + result.slice(to);
  return result;
}

function keepLineOpen(fill: string, afterLineComment: boolean): string {
  return afterLineComment && !/^[ \t]*[\r\n]/.test(fill) ? `\n${fill}` : fill;
}

function skipBreak(text: string, from: number): number {
  return from + (/^\r\n|^[\r\n]/.exec(text.slice(from))?.[0].length ?? 0);
}

/** White space before an inline child, or a space. */
function gapBefore(text: string, child: Node): string {
  return /[,][ \t]*$/.exec(text.slice(0, child.offset))?.[0].slice(1) ?? " ";
}

/** The indentation of a child that begins its line. */
function ownIndent(text: string, child: Node): string | undefined {
  return /(?:^|[\r\n])([ \t]*)$/.exec(text.slice(0, child.offset))?.[1];
}

/** The indentation of the line something stands in. */
function indentAt(text: string, offset: number): string {
  const line = Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(line, offset))?.[0] ?? "";
}

/** One step of indentation: as the file's first child has it, else two spaces. */
function indentUnit(text: string, root: Node): string {
  const first = root.children?.[0];
  const own = first && ownIndent(text, first);
  const base = indentAt(text, root.offset);
  return own && own.startsWith(base) && own.length > base.length ? own.slice(base.length) : "  ";
}
