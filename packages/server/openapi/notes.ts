/** What the comments in `core` say of the protocol's types and their fields: the one place where it is written. */
import { readFileSync } from "node:fs";

const FILES = ["protocol.ts", "protocol-answers.ts", "protocol-events.ts"];

/** What is said of a type. */
export interface Note {
  text: string | undefined;
  fields: Map<string, { text: string | undefined; type: string }>;
}

/** By the type's name. A type has its parents' fields too. */
export function readNotes(): Map<string, Note> {
  const notes = new Map<string, Note>();
  const sources = FILES.map((file) => readFileSync(new URL(`../../core/src/${file}`, import.meta.url), "utf8"));
  for (const source of sources)
    for (const [, comment, name = "", parents = "", body = ""] of source.matchAll(
      /(\/\*\*(?:(?!\*\/)[^])*\*\/\n)?(?:export )?interface (\w+)(?: extends ([^{]+))? \{\n([^]*?)\n?\}\n/g,
    )) {
      const own = [...body.matchAll(/^ {2}(?:(\/\*\*(?:(?!\*\/)[^])*\*\/)\n {2})?(\w+)\??: (.*);$/gm)].map(
        ([, text, field = "", type = ""]) => [field, { text: plain(text), type }] as const,
      );
      const inherited = [...parents.matchAll(/\w+/g)].flatMap(([parent]) => [...(notes.get(parent)?.fields ?? [])]);
      notes.set(name, { text: plain(comment), fields: new Map([...inherited, ...own]) });
    }
  for (const source of sources)
    for (const [, comment, name = ""] of source.matchAll(/(\/\*\*(?:(?!\*\/)[^])*\*\/\n)export type (\w+) =/g))
      notes.set(name, { text: plain(comment), fields: new Map() });
  return notes;
}

/** The words of a comment, on one line. */
function plain(comment: string | undefined): string | undefined {
  return comment
    ?.replace(/^\/\*\*|\*\/\s*$/g, "")
    .replace(/\n\s*\*/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
