import type { Launch } from "../types.ts";

/** Hermes 0.19.0: with `-q` it ends after the answer. */
export const launch: Launch = {
  noPrompt: "it takes a prompt in its window alone",
  again: {
    ids: /^\d{8}_\d{6}_[0-9a-f]+$/,
    resume: (id) => [`--resume=${id}`],
    fork: "makes one in its window alone, by /branch",
  },
};
