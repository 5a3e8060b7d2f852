import type { Launch } from "../types.ts";

/** OpenCode 1.18.33 and Kilo 7.7.7. */
export const launch: Launch = { withPrompt: (text) => [`--prompt=${text}`] };
