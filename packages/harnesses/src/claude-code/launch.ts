import type { Launch } from "../types.ts";
import { UUID } from "../uuid.ts";

/** Claude Code 2.1.332 begins with the words that stand alone. */
export const launch: Launch = {
  withPrompt: (text) => ["--", text],
  again: {
    ids: UUID,
    resume: (id) => [`--resume=${id}`],
    fork: (id) => [`--resume=${id}`, "--fork-session"],
  },
};
