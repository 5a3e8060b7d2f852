import type { Launch } from "../types.ts";

/** Copilot CLI 1.0.102. With `-p` it would end after the answer. */
export const launch: Launch = { withPrompt: (text) => [`--interactive=${text}`] };
