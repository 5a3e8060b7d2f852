import type { Launch } from "../types.ts";

/** OpenCode 1.18.33 and Kilo 7.7.7. */
export const launch: Launch = {
  withPrompt: (text) => [`--prompt=${text}`],
  again: {
    ids: /^ses_[0-9A-Za-z]+$/,
    resume: (id) => [`--session=${id}`],
    fork: (id) => [`--session=${id}`, "--fork"],
    // Of a session it forgets it; of a copy it sends it before the copy is made, in a session that is neither.
    noPrompt: "it would forget it, or begin another session with it",
  },
};
