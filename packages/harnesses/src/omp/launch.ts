import type { Launch } from "../types.ts";

/** omp 18.2.3 begins with the words that stand alone. */
export const launch: Launch = { withPrompt: (text) => ["--", text] };
