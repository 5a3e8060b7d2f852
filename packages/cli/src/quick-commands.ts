import type { CommandName } from "./commands/index.ts";

/**
 * Commands that only talk with a moth that runs. They and all they need stand in one file, `dist/quick.cjs`, since scripts, status bars and
 * people at a prompt ask them often, and Node takes longer over forty files than over one.
 */
export const QUICK: readonly CommandName[] = [
  "abort",
  "answer",
  "last",
  "mute",
  "next",
  "notify",
  "open",
  "ps",
  "say",
  "status",
  "tail",
  "unmute",
  "wait",
];
