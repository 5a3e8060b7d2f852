import type { Launch } from "../types.ts";

/** Qwen Code 0.24.4. Words that stand alone would be answered, and it would end. */
export const launch: Launch = { withPrompt: (text) => [`--prompt-interactive=${text}`] };
