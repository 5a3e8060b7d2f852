import { claudeCode } from "./claude-code/index.ts";
import type { Harness } from "./types.ts";

/** Every harness moth knows, in the order they are shown. */
export const harnesses: readonly Harness[] = [claudeCode];

/** By id, as reports and commands name it. */
export function findHarness(id: string): Harness | undefined {
  return harnesses.find((harness) => harness.id === id);
}
