import type { Launch } from "../types.ts";

/** Pi 1.6.0 begins with the words that stand alone. */
export const launch: Launch = {
  withPrompt: (text) => ["--", text],
  again: {
    // The person may give them; one with a dot could be a file's name.
    ids: /^[0-9A-Za-z](?:[\w-]*[0-9A-Za-z])?$/,
    resume: (id) => ["--session", id],
    fork: (id) => ["--fork", id],
  },
};
