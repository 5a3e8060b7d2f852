import type { Launch } from "../types.ts";

/** Gemini CLI 0.61.0. With `-p` it would end after the answer. */
export const launch: Launch = { withPrompt: (text) => [`--prompt-interactive=${text}`] };
