import { findHarness, harnesses } from "@moth-companion/harnesses";

/** How cards call a harness: its short name; the id itself when moth does not know it. */
export function shortName(source: string): string {
  return findHarness(source)?.short ?? source;
}

/** Every id moth knows, as commands take them. */
export async function harnessIds(): Promise<readonly string[]> {
  return harnesses.map((harness) => harness.id);
}
