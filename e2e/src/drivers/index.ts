import type { HarnessDriver } from "../driver.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { dsh } from "./dsh.ts";
import { gemini } from "./gemini.ts";
import { hermes } from "./hermes.ts";
import { kilo } from "./kilo.ts";
import { omp } from "./omp.ts";
import { openCode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwen } from "./qwen.ts";

/** Every harness of the matrix, in the order of its rows. */
export const drivers: readonly HarnessDriver[] = [claudeCode, codex, openCode, kilo, pi, omp, hermes, copilot, dsh, gemini, qwen];
