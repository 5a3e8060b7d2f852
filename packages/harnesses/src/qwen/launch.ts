import type { Launch } from "../types.ts";
import { UUID } from "../uuid.ts";

/** Qwen Code 0.24.4. Words that stand alone would be answered, and it would end. */
export const launch: Launch = {
  withPrompt: (text) => [`--prompt-interactive=${text}`],
  again: {
    ids: UUID,
    resume: (id) => [`--resume=${id}`],
    fork: (id) => [`--resume=${id}`, "--fork-session"],
  },
};
