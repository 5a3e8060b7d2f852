import type { Launch } from "../types.ts";

/** Claude Code 2.1.332 begins with the words that stand alone. */
export const launch: Launch = { withPrompt: (text) => ["--", text] };
