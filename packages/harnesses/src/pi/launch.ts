import type { Launch } from "../types.ts";

/** Pi 1.6.0 begins with the words that stand alone. */
export const launch: Launch = { withPrompt: (text) => ["--", text] };
