import type { Launch } from "../types.ts";

/** omp 18.2.3 begins with the words that stand alone. */
export const launch: Launch = {
  withPrompt: (text) => ["--", text],
  again: {
    ids: /^[0-9A-Za-z][0-9A-Za-z-]*$/,
    resume: (id) => [`--resume=${id}`],
    fork: (id) => [`--fork=${id}`],
  },
};
