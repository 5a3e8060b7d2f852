import type { Launch } from "../types.ts";

/** Codex 0.171.0 begins with the words that stand alone. */
export const launch: Launch = { withPrompt: (text) => ["--", text] };
