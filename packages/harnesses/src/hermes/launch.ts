import type { Launch } from "../types.ts";

/** Hermes 0.19.0: with `-q` it ends after the answer. */
export const launch: Launch = { noPrompt: "it takes a prompt in its window alone" };
