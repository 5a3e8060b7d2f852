import type { Launch } from "../types.ts";

/** OpenCode 1.18.33 and Kilo 7.7.7. */
export const launch: Launch = {
  withPrompt: (text) => [`--prompt=${text}`],
  again: {
    ids: /^ses_[0-9A-Za-z]+$/,
    resume: (id) => [`--session=${id}`],
    fork: (id) => [`--session=${id}`, "--fork"],
    // It sends the prompt before it has made the copy, in a session that is neither.
    noPromptWithFork: "it would begin another session with it",
  },
};
