import { expect, test } from "vitest";
import { WORDS } from "./triage-words.ts";

/** The branches of a pattern that stand in no bracket. */
function branches(source: string): string[] {
  const found = [""];
  let depth = 0;
  let inClass = false;
  for (const [part] of source.matchAll(/\\.|[^]/g)) {
    if (part === "|" && depth === 0 && !inClass) {
      found.push("");
      continue;
    }
    found[found.length - 1] += part;
    if (part === "[") inClass = true;
    else if (part === "]") inClass = false;
    else if (!inClass && part === "(") depth++;
    else if (!inClass && part === ")") depth--;
  }
  return found;
}

// Those patterns are tried where a word begins and nowhere else.
test("a pattern for failures that begins with the edge of a word does so in each of its branches, and a word follows", () => {
  const patterns = WORDS.flatMap(({ failure }) => failure.map(({ source }) => source)).filter((source) =>
    source.startsWith("\\b"),
  );
  expect(patterns.length).toBeGreaterThan(40);
  expect(patterns.flatMap(branches).filter((branch) => !/^\\b[\w([]/.test(branch))).toEqual([]);
});
