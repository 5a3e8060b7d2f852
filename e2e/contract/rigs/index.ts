import type { Rig } from "../adapter.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { dsh } from "./dsh.ts";
import { gemini } from "./gemini.ts";
import { hermes } from "./hermes.ts";
import { openCode } from "./opencode.ts";
import { omp, pi } from "./pi.ts";

/** Every adapter, in every harness it is written for. */
export const rigs: readonly Rig[] = [claudeCode, codex, copilot, gemini, openCode, pi, omp, dsh, hermes];
