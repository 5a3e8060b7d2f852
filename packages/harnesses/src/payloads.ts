/** The payload readers alone: what the hook program needs of the registry, without the installers. */
import { readPayload as antigravity } from "./antigravity/payload.ts";
import { readEvent as claudeCode } from "./claude-code/read-event.ts";
import { readEvent as codex } from "./codex/read-event.ts";
import { readPayload as copilot } from "./copilot/payload.ts";
import { readPayload as gemini } from "./gemini/payload.ts";
import { readPayload as qwen } from "./qwen/payload.ts";
import { readPayload as cursor } from "./cursor/payload.ts";
import type { HookedId } from "./registry.ts";
import type { ReadPayload } from "./types.ts";

export type { Ask, Report } from "./types.ts";

// By the registry's own type: one reader too few or too many does not compile.
const payloads: Readonly<Record<HookedId, ReadPayload>> = {
  "claude-code": claudeCode,
  codex,
  copilot,
  gemini,
  qwen,
  cursor,
  antigravity,
};

/** The reader of a harness, by the id the hook was started with. */
export function findPayload(id: string): ReadPayload | undefined {
  return Object.hasOwn(payloads, id) ? payloads[id as HookedId] : undefined;
}
