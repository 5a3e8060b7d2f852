import { claudeCode } from "./claude-code/index.ts";
import type { ReadPayload } from "./types.ts";

export const payloads: Readonly<Record<string, ReadPayload>> = { "claude-code": claudeCode.readPayload ?? (() => []) };
