import type { Launch } from "../types.ts";
import { UUID } from "../uuid.ts";

/** Codex 0.171.0 begins with the words that stand alone. What stands before `resume` and `fork` is for the session, too. */
export const launch: Launch = {
  withPrompt: (text) => ["--", text],
  again: {
    ids: UUID,
    resume: (id) => ["resume", id],
    fork: (id) => ["fork", id],
  },
};
