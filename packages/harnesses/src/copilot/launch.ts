import type { Launch } from "../types.ts";
import { UUID } from "../uuid.ts";

/** Copilot CLI 1.0.102. With `-p` it would end after the answer. */
export const launch: Launch = {
  withPrompt: (text) => [`--interactive=${text}`],
  again: {
    ids: UUID,
    resume: (id) => [`--resume=${id}`],
    fork: "makes one in its window alone, by /fork",
  },
};
