import { claudeCode } from "./claude-code/index.ts";
import type { Harness, ReadPayload } from "./types.ts";

const all: readonly [typeof claudeCode] = [claudeCode];

/** Every harness moth knows, in the order they are shown. */
export const harnesses: readonly Harness[] = all;

/** The harnesses whose hooks are commands. */
export type HookedId = Extract<(typeof all)[number], { readPayload: ReadPayload }>["id"];

/** By id, as reports and commands name it. */
export function findHarness(id: string): Harness | undefined {
  return harnesses.find((harness) => harness.id === id);
}
