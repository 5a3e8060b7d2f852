/** What the contract asks of whoever lets an adapter live: the same few things that happen in every harness. */

import type { HookedHarness } from "./rigs/hook.ts";

/** A piece of a session's life, in the order of the list it stands in. All chapters are of one session. */
export type Chapter =
  /** The person asks, the agent runs a tool and says this. */
  | { is: "turn"; says: string }
  /** The agent ends its turn without a word. */
  | { is: "turn without words" }
  /** A subagent says this to its agent, which says nothing. */
  | { is: "subagent's turn"; says: string }
  /** The person stops the agent, which has said this so far. */
  | { is: "aborted turn"; says: string }
  | { is: "unknown event" }
  /** Everything that is no event, in every place of one. */
  | { is: "garbage" }
  /** Not the harness's: moth's token is another one from here on. */
  | { is: "new token"; token: string }
  /** The session ends. */
  | { is: "end" };

/** What no byte that is sent may hold. Rigs put it where the harness carries it: prompts, tools' inputs, folders above the session's. */
export const PRIVATE = {
  prompt: "a private prompt",
  input: "a private input",
  result: "a private result",
  above: "/home/ada/private folder",
} as const;

/** The folder the session works in, wherever the harness lets a test choose. */
export const FOLDER: string = `${PRIVATE.above}/moth repo`;

export interface Surroundings {
  /** moth's folder. */
  home: string;
  /** moth's address. */
  url: string;
  env: Record<string, string>;
}

/** What was seen of a life. */
export interface Life {
  /** Exit codes that are not 0, and whatever was printed. */
  traces: string;
  /** How often the adapter threw or answered with anything: a decision, an injection. */
  meddled: number;
  /** How often a call was still open when something from outside could have come in. Only in a process of the harness's. */
  late: number;
  /** Milliseconds that the harness waited at most: for a hook, or for the end of an adapter in its process. */
  slowest: number;
}

/** Knows how to make a built adapter live. */
export interface Rig {
  /** The adapter, and the harness that it lives in. */
  name: string;
  /** The `source` of its reports. */
  source: string;
  /** What is built. What holds of it whatever harness it is in is asked of its first rig. */
  program: string;
  /** Why it cannot live here. */
  skip?: string;
  /** For a hook: what its harness tells it. */
  hooked?: HookedHarness;
  live(chapters: readonly Chapter[], surroundings: Surroundings): Promise<Life>;
}
