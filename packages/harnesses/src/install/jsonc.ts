/** JSON as people and editors write it: comments and trailing commas allowed, positions kept. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { PlanError } from "./plan-error.ts";

export type { Node } from "jsonc-parser";

/** A settings file's text, parsed. Every node knows its place in `text`. */
export interface Document {
  file: string;
  text: string;
  root: Node;
}

/** @throws PlanError UNPARSABLE with the place of the first error */
export function parseDocument(file: string, text: string): Document {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true });
  } catch (cause) {
    throw new PlanError("UNPARSABLE", `${file} is nested too deeply to be settings. Mend it and try again.`, { file, cause });
  }
  const first = errors[0];
  if (root && !first) return { file, text, root };
  const { line, column } = placeOf(text, first?.offset ?? 0);
  const what = first ? spell(printParseErrorCode(first.error)) : "there is no value";
  throw new PlanError(
    "UNPARSABLE",
    `${file}:${line}:${column} is not JSON (${what}), so moth leaves it alone. Mend that place and try again.`,
    { file, line, column },
  );
}

function spell(code: string): string {
  return code.replace(/[A-Z]/g, (letter, at: number) => (at === 0 ? letter.toLowerCase() : ` ${letter.toLowerCase()}`));
}

/** Something stands where moth's hooks belong. */
export function unexpected({ file, text }: Document, node: Node, what: string): PlanError {
  const { line, column } = placeOf(text, node.offset);
  return new PlanError("UNEXPECTED", `${file}:${line}:${column}: ${what}. Mend that place and try again.`, {
    file,
    line,
    column,
  });
}

/** Line and column, both from 1. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** An object's property of that name; the last one, which is the one that counts. */
export function property(object: Node, name: string): Node | undefined {
  return object.children?.findLast((child) => child.children?.[0]?.value === name);
}

/** The value of a property node. */
export function valueOf(propertyNode: Node | undefined): Node | undefined {
  return propertyNode?.children?.[1];
}

export function end(node: Node): number {
  return node.offset + node.length;
}
