import type { Rig } from "../adapter.ts";
import { antigravity } from "./antigravity.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { dsh } from "./dsh.ts";
import { gemini } from "./gemini.ts";
import { hermes } from "./hermes.ts";
import type { HookedHarness } from "./hook.ts";
import { kilo, openCode } from "./opencode.ts";
import { omp, pi } from "./pi.ts";
import { qwen } from "./qwen.ts";

/** Every adapter, in every harness it is written for. */
export const rigs: readonly Rig[] = [claudeCode, codex, copilot, gemini, qwen, cursor, openCode, kilo, pi, omp, dsh, hermes];

/** Harnesses without one, and why. */
export const WITHOUT: Readonly<Record<string, string>> = {
  antigravity:
    "none of its hooks carries a reply or a session's end: a process of its own finds the reply seconds later, as its own tests show",
};

/** Every harness whose hooks are commands, and what it tells them. */
export const hooked: readonly HookedHarness[] = [...rigs.flatMap((rig) => rig.hooked ?? []), antigravity];
