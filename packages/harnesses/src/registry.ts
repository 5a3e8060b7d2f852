import { antigravity } from "./antigravity/index.ts";
import { claudeCode } from "./claude-code/index.ts";
import { codex } from "./codex/index.ts";
import { copilot } from "./copilot/index.ts";
import { cursor } from "./cursor/index.ts";
import { dsh } from "./dsh/index.ts";
import { gemini } from "./gemini/index.ts";
import { hermes } from "./hermes/index.ts";
import { kilo } from "./kilo/index.ts";
import { omp } from "./omp/index.ts";
import { openCode } from "./opencode/index.ts";
import { pi } from "./pi/index.ts";
import { qwen } from "./qwen/index.ts";
import type { Harness, ReadPayload } from "./types.ts";

const all: readonly [
  typeof claudeCode,
  typeof codex,
  typeof openCode,
  typeof kilo,
  typeof pi,
  typeof omp,
  typeof hermes,
  typeof copilot,
  typeof dsh,
  typeof gemini,
  typeof qwen,
  typeof cursor,
  typeof antigravity,
] = [claudeCode, codex, openCode, kilo, pi, omp, hermes, copilot, dsh, gemini, qwen, cursor, antigravity];

/** Every harness moth knows, in the order they are shown. */
export const harnesses: readonly Harness[] = all;

/** The harnesses whose hooks are commands. */
export type HookedId = Extract<(typeof all)[number], { readPayload: ReadPayload }>["id"];

/** By id, as reports and commands name it. */
export function findHarness(id: string): Harness | undefined {
  return harnesses.find((harness) => harness.id === id);
}
