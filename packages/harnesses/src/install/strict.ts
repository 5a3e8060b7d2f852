import { placeOf } from "./jsonc.ts";

/**
 * For harnesses that read a file as plain JSON: one comment or trailing comma, and they use nothing of it, moth's hooks neither. moth
 * edits such a file without harm, and says so.
 * @param name the harness's
 */
export function strictProblem(name: string, file: string, text: string): string | undefined {
  if (text.trim() === "") return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    const { line, column } = placeOf(text, firstExtra(text));
    return `${file}:${line}:${column}: ${name} reads plain JSON and ignores this whole file because of a comment or comma there.`;
  }
}

/** The first comment or trailing comma outside strings; both are all that JSONC allows beyond JSON. */
function firstExtra(text: string): number {
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|\/[/*]|,(?=\s*[}\]])/g)) if (!match[0].startsWith('"')) return match.index;
  return 0;
}
