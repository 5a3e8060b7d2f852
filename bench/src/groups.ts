import { benchAdapters } from "../../e2e/contract/time-adapters.ts";
import { benchBurst } from "./burst.ts";
import { benchCommands, benchStart } from "./commands.ts";
import type { Figure } from "./figure.ts";
import { benchHook } from "./hook.ts";
import { benchLengths } from "./lengths.ts";
import { benchPage } from "./page.ts";
import { benchReports } from "./reports.ts";
import { benchResources } from "./resources.ts";
import { benchStream } from "./stream.ts";

/** How much is measured. */
export interface Effort {
  /** How often each figure is measured, where a run is not long. */
  runs: number;
  /** Enough to see that the bench works, and roughly what a change did. */
  short: boolean;
  /** Says what is measured now, to whoever waits. */
  at: (what: string) => void;
}

export interface Group {
  /** What chooses it: `npm run bench -- hook`. */
  name: string;
  title: string;
  bench(effort: Effort): Promise<Figure[]>;
}

export const groups: readonly Group[] = [
  { name: "hook", title: "A hook, from its start to its end", bench: benchHook },
  { name: "adapters", title: "An adapter in a harness's process, per event", bench: benchAdapters },
  { name: "reports", title: "Reports a second", bench: benchReports },
  { name: "stream", title: "From a report to a display", bench: benchStream },
  { name: "lengths", title: "As the log grows", bench: benchLengths },
  { name: "resources", title: "Memory and processor, while nobody asks", bench: benchResources },
  { name: "start", title: "The start", bench: benchStart },
  { name: "commands", title: "Commands", bench: benchCommands },
  { name: "page", title: "The page", bench: benchPage },
  { name: "burst", title: "A thousand hooks in ten seconds", bench: benchBurst },
];
