import type { Launch } from "../types.ts";
import { UUID } from "../uuid.ts";
import { findRecording } from "./recording.ts";

/** Gemini CLI 0.61.0. With `-p` it would end after the answer. */
export const launch: Launch = {
  withPrompt: (text) => [`--prompt-interactive=${text}`],
  again: {
    ids: UUID,
    resume: (id) => [`--resume=${id}`],
    // Whatever recording it loads, it goes on under an id of its own.
    fork(id, env) {
      const recording = findRecording(env, id);
      return recording === undefined ? undefined : [`--session-file=${recording}`];
    },
  },
};
